import { formatIso, formatWindow, zoneName } from "#lib/charts/format-time.ts";
import type { TimeWindow } from "#lib/charts/view-address.ts";
import { exportPng } from "../charts/export-png.ts";
import { download, fileName } from "../ui/download.ts";

/** Hands the charts inside `frame` over as PNG, under what they show of which node. Nothing while they are not drawn. */
export async function saveChart(
  frame: HTMLElement | null,
  node: string,
  { fromMs, toMs }: TimeWindow,
  { zone, nowMs }: { readonly zone: string; readonly nowMs: number },
  note?: string,
): Promise<void> {
  if (!frame) return;
  const caption = `${node} · ${formatWindow(fromMs, toMs, zone, nowMs)} ${zoneName(toMs, zone)}`;
  const name = fileName(node, formatIso(toMs).replaceAll(":", ""));
  download(`${name}.png`, await exportPng(frame, note === undefined ? caption : `${caption} · ${note}`));
}

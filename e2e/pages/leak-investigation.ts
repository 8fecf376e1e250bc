import type { Page } from "@playwright/test";
import type { leakThatStops } from "../simulated-node.ts";

/** What would run, were a text taken for HTML. */
export const HOSTILE = `<script>document.title='run'</script> <img src=x onerror="document.title='run'"> [out](javascript:alert(1))`;

/** Marks when a leak was stopped, looks into it with three pins, an effect and a hypothesis, and opens the page of that. */
export async function investigateLeak(
  page: Page,
  leak: ReturnType<typeof leakThatStops>,
  { nodeId, title, text }: { readonly nodeId: number; readonly title: string; readonly text: string },
): Promise<void> {
  const window = `from=${leak.node.fromMs}&to=${leak.node.toMs}`;
  const marked = await page.request.post("/api/v1/annotations", {
    data: { at: leak.stopAtMs, kind: "intervention", title: "puller stopped", scope: { nodes: [nodeId] } },
  });
  const { annotationId } = (await marked.json()) as { annotationId: number };
  const opened = await page.request.post("/api/v1/investigations", {
    data: {
      title,
      scope: { nodes: [nodeId] },
      conclusion: `The puller: [[effect:${annotationId}]]. ${HOSTILE}`,
      text,
      pins: [
        { kind: "chart", address: `/nodes/${nodeId}?${window}&view=change`, caption: "it grows" },
        { kind: "table", address: `/nodes/${nodeId}?${window}`, caption: "what was tried" },
        { kind: "scatter", address: `/nodes/${nodeId}?${window}` },
      ],
    },
  });
  const { investigationId } = (await opened.json()) as { investigationId: number };
  await page.request.post(`/api/v1/investigations/${investigationId}/hypotheses`, {
    data: {
      text: "Each container leaves memory behind",
      state: "supported",
      evidence: [{ kind: "pin", number: 1 }],
    },
  });
  await page.goto(`/investigations/${investigationId}`);
}

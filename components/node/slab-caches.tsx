import { DASH, formatKibChange, formatKib, formatNumber, formatShare } from "#lib/charts/format.ts";
import { formatMoment } from "#lib/charts/format-time.ts";
import { sparkline } from "#lib/charts/sparkline.ts";
import type { SlabSeries } from "#lib/contracts/series.ts";
import { SparklineMark } from "../charts/sparkline-mark.tsx";
import { numericHead } from "../ui/column-heads.tsx";
import { ScrollTable } from "../ui/scroll-table.tsx";

const SPARK = { widthPx: 84, heightPx: 20, least: 8 * 1024 } as const;

const HEADS = [
  "cache",
  numericHead("object, B", "max-md:hidden"),
  numericHead("objects in use", "max-md:hidden"),
  numericHead("in use", "max-md:hidden"),
  numericHead("size"),
  {
    key: "change",
    content: (
      <>
        change<span className="max-md:hidden"> in the window</span>
      </>
    ),
    numeric: true,
  },
  "window",
];

function changeText({ changeKib }: SlabSeries["caches"][number]): string {
  if (changeKib === null) return DASH;
  return Math.abs(changeKib) < 1 ? "0" : formatKibChange(changeKib);
}

/** Slab caches that are largest or changed most, each with its history in the window; those not sent any more come last. */
export function SlabCaches({
  slab,
  zone,
  nowMs,
}: {
  readonly slab: SlabSeries;
  readonly zone: string;
  readonly nowMs: number;
}) {
  const extent = ({ sizeKib, changeKib }: SlabSeries["caches"][number]) =>
    sizeKib === null || changeKib === null ? -1 : Math.abs(changeKib);
  const caches = slab.caches.toSorted((a, b) => extent(b) - extent(a));
  return (
    <ScrollTable label="Slab caches" heads={HEADS}>
      {caches.slice(0, 12).map((cache) => (
        <tr key={cache.name}>
          <th scope="row" className="max-w-60 truncate max-md:max-w-28" title={cache.name}>
            <bdi>{cache.name}</bdi>
          </th>
          <td className="num max-md:hidden">{formatNumber(cache.objSizeBytes)}</td>
          <td className="num max-md:hidden">
            {cache.activeObjects === null ? DASH : formatNumber(cache.activeObjects)}
          </td>
          <td className="num max-md:hidden">
            {cache.activeObjects !== null && cache.objects !== null && cache.objects > 0
              ? formatShare(cache.activeObjects / cache.objects, 0)
              : DASH}
          </td>
          <td className="num">
            {cache.sizeKib === null
              ? `not sent since ${formatMoment(cache.lastSentAt, zone, nowMs)}`
              : formatKib(cache.sizeKib)}
          </td>
          <td className="num">{changeText(cache)}</td>
          <td>
            <SparklineMark
              spark={sparkline(slab.timesMs, cache.valuesKib, SPARK)}
              widthPx={SPARK.widthPx}
              heightPx={SPARK.heightPx}
            />
          </td>
        </tr>
      ))}
    </ScrollTable>
  );
}

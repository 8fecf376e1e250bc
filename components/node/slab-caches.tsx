import { formatKibChange, formatKib, formatNumber, formatShare } from "#lib/charts/format.ts";
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

/** Slab caches that are largest or changed most, each with its history in the window. */
export function SlabCaches({ slab }: { readonly slab: SlabSeries }) {
  const caches = slab.caches.toSorted((a, b) => Math.abs(b.changeKib) - Math.abs(a.changeKib));
  return (
    <ScrollTable label="Slab caches" heads={HEADS}>
      {caches.slice(0, 12).map((cache) => (
        <tr key={cache.name}>
          <th scope="row" className="max-w-60 truncate max-md:max-w-28" title={cache.name}>
            <bdi>{cache.name}</bdi>
          </th>
          <td className="num max-md:hidden">{formatNumber(cache.objSizeBytes)}</td>
          <td className="num max-md:hidden">{formatNumber(cache.activeObjects)}</td>
          <td className="num max-md:hidden">
            {cache.objects > 0 ? formatShare(cache.activeObjects / cache.objects, 0) : "\u2013"}
          </td>
          <td className="num">{formatKib(cache.sizeKib)}</td>
          <td className="num">{Math.abs(cache.changeKib) < 1 ? "0" : formatKibChange(cache.changeKib)}</td>
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

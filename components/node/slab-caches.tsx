import { formatKibChange, formatKib, formatNumber, formatShare } from "#lib/charts/format.ts";
import { sparkline } from "#lib/charts/sparkline.ts";
import type { SlabSeries } from "#lib/contracts/series.ts";
import { SparklineMark } from "../charts/sparkline-mark.tsx";

const SPARK = { widthPx: 84, heightPx: 20, least: 8 * 1024 } as const;

/** Slab caches that are largest or changed most, each with its history in the window. */
export function SlabCaches({ slab }: { readonly slab: SlabSeries }) {
  const caches = slab.caches.toSorted((a, b) => Math.abs(b.changeKib) - Math.abs(a.changeKib));
  return (
    <div className="overflow-x-auto" role="group" aria-label="Slab caches" tabIndex={0}>
      <table className="grid-table">
        <thead>
          <tr>
            <th scope="col">cache</th>
            <th scope="col" className="num max-md:hidden">
              object, B
            </th>
            <th scope="col" className="num max-md:hidden">
              objects in use
            </th>
            <th scope="col" className="num max-md:hidden">
              in use
            </th>
            <th scope="col" className="num">
              size
            </th>
            <th scope="col" className="num">
              change<span className="max-md:hidden"> in the window</span>
            </th>
            <th scope="col">window</th>
          </tr>
        </thead>
        <tbody>
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
              <td className="num">
                {Math.abs(cache.changeKib) < 1 ? "0" : formatKibChange(cache.changeKib)}
              </td>
              <td>
                <SparklineMark
                  spark={sparkline(slab.timesMs, cache.valuesKib, SPARK)}
                  widthPx={SPARK.widthPx}
                  heightPx={SPARK.heightPx}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

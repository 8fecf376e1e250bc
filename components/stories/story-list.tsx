import Link from "next/link";
import type { Story } from "#lib/charts/story-model.ts";
import { SimulatedBadge } from "../ui/simulated-badge.tsx";
import { StatePanel } from "../ui/state-panel.tsx";

/** The stories, each a list of steps that lead to a view. */
export function StoryList({ stories }: { readonly stories: readonly Story[] }) {
  if (stories.length === 0) {
    return (
      <StatePanel title="No stories here">
        <p>
          They are told on simulated nodes, of which this server has none: <code>npm run demo</code> starts
          one that does, beside this one and with data of its own.
        </p>
        <Link href="/" className="text-accent-ink hover:underline">
          To the fleet
        </Link>
      </StatePanel>
    );
  }
  return (
    <>
      <h1 className="pt-4 pb-1 text-xl font-semibold">Two leaks, from the first sign to the proof</h1>
      <p className="max-w-[100ch] pb-4 text-ink-2">
        Every node, number and mark here is simulated. Each step opens a view of the product at the right
        window; the sentence beside it says what to look for. Times in UTC.
      </p>
      <div className="grid gap-x-10 gap-y-8 lg:grid-cols-2">
        {stories.map(({ key, title, cluster, about, steps }) => (
          <section key={key} aria-labelledby={`story-${key}`} className="min-w-0">
            <h2 id={`story-${key}`} className="text-[15px] font-semibold">
              {title} <SimulatedBadge text={`cluster ${cluster}, simulated`} />
            </h2>
            <p className="max-w-[80ch] pt-1 pb-2 text-ink-2">{about}</p>
            <ol className="border-t border-line-2">
              {steps.map(({ href, title: step, see }, index) => (
                <li key={href} className="grid grid-cols-[1.5rem_minmax(0,1fr)] border-b border-line py-2">
                  <span className="num text-ink-3">{index + 1}</span>
                  <div className="min-w-0">
                    <Link href={href} prefetch={false} className="font-semibold">
                      {step}
                    </Link>
                    <p className="max-w-[80ch] text-ink-2">{see}</p>
                  </div>
                </li>
              ))}
            </ol>
          </section>
        ))}
      </div>
    </>
  );
}

import type { Metadata } from "next";
import { StoryList } from "#components/stories/story-list.tsx";
import { loadStories } from "#lib/server/loaders/load-stories.ts";

export const metadata: Metadata = { title: "Stories" };

/** Two leaks from the first sign to the proof that they are gone, each step a view of simulated nodes. */
export default async function StoriesPage() {
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page pb-10">
      <StoryList stories={await loadStories()} />
    </main>
  );
}

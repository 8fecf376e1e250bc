"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";

/** Steps from one address of a page to another that is read anew, and the way back from the last one. */
export function useSteps(
  here: string,
  show: (path: string) => void,
): { readonly go: (to: string | undefined) => void; readonly back: () => boolean } {
  const router = useRouter();
  const [steps, setSteps] = useState<readonly string[]>([]);
  return {
    go: (to) => {
      if (to === undefined || to === here) return;
      setSteps([...steps, to]);
      show(to);
    },
    // Only while the page still shows where the last step led: else going back would leave something else.
    back: () => {
      if (steps.at(-1) !== here) return false;
      setSteps(steps.slice(0, -1));
      router.back();
      return true;
    },
  };
}

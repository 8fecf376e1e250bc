"use client";

import { useEffect, useState } from "react";
import type { RefObject } from "react";

/** Width of an element in whole pixels, undefined until it has been laid out. */
export function useElementWidth(ref: RefObject<HTMLElement | null>): number | undefined {
  const [widthPx, setWidthPx] = useState<number>();
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidthPx(Math.floor(entry.contentRect.width));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return widthPx;
}

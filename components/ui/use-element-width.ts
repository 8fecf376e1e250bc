"use client";

import { useLayoutEffect, useState } from "react";
import type { RefObject } from "react";

/**
 * Width of an element without padding in whole pixels, undefined until it has been laid out. What depends on it is drawn before
 * the browser paints, where an observer alone would tell a frame later.
 */
export function useElementWidth(ref: RefObject<HTMLElement | null>): number | undefined {
  const [widthPx, setWidthPx] = useState<number>();
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const { width } = element.getBoundingClientRect();
    // One that is hidden has none, and is observed until it is shown.
    if (width > 0) setWidthPx(Math.floor(width));
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidthPx(Math.floor(entry.contentRect.width));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return widthPx;
}

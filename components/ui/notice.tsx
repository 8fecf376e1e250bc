"use client";

import { createContext, useContext, useEffect, useState } from "react";
import type { ReactNode } from "react";
import { Toast } from "./toast.tsx";

const SHOWN_MS = 8000;

const NoticeContext = createContext<(notice: ReactNode) => void>(() => undefined);

/** The one place of a page where `useNotice` is heard. */
export function NoticeProvider({ children }: { readonly children: ReactNode }) {
  // Each notice is its own, so that the same words count anew.
  const [said, setSaid] = useState<{ readonly notice: ReactNode }>();
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => setSaid(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const [say] = useState(() => (notice: ReactNode) => setSaid({ notice }));
  return (
    <NoticeContext value={say}>
      {children}
      <Toast shown={said !== undefined}>{said?.notice}</Toast>
    </NoticeContext>
  );
}

/** Says for a few seconds what came of a key or a button; the same function each time. */
export function useNotice(): (notice: ReactNode) => void {
  return useContext(NoticeContext);
}

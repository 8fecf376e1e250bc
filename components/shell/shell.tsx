import type { ComponentProps, ReactNode } from "react";
import { AccessProvider } from "../account/access.tsx";
import { NoticeProvider } from "../ui/notice.tsx";
import { TopBar } from "./top-bar.tsx";

/** What is around every page of the product: the bar on top, what the reader may do, and where the page says something. */
export function Shell({
  children,
  ...bar
}: ComponentProps<typeof TopBar> & { readonly children: ReactNode }) {
  const known = typeof bar.person === "object" ? bar.person : undefined;
  return (
    <NoticeProvider>
      <AccessProvider role={known?.role ?? "viewer"} canSignIn={known?.hasAccount !== true}>
        <TopBar {...bar} />
        {children}
      </AccessProvider>
    </NoticeProvider>
  );
}

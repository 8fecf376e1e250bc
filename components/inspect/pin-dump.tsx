"use client";

import { formatNumber } from "#lib/charts/format.ts";
import { MAX_DUMP_CHARS } from "#lib/contracts/investigation.ts";
import { ForRole, useWritingKeys } from "../account/access.tsx";
import { offerPin } from "../investigation/pin-offer.ts";
import { Button } from "../ui/button.tsx";
import { useNotice } from "../ui/notice.tsx";

/** Pins the dump that is read. Its text leaves the browser then, and only then: the button says so. */
export function PinDump({
  caption,
  text,
}: {
  readonly caption: string;
  readonly text: () => Promise<string>;
}) {
  const say = useNotice();
  const pin = async () => {
    const content = await text();
    if (content.length > MAX_DUMP_CHARS) {
      const [had, most] = [content.length, MAX_DUMP_CHARS].map((each) => formatNumber(each));
      return say(`Not pinned: a pin holds ${most} characters, this text has ${had}. Cut out what matters.`);
    }
    offerPin({
      kind: "dump",
      address: "",
      content,
      caption: caption.slice(0, 300).toWellFormed(),
      nodeIds: [],
      suggestion: "What this dump says",
    });
  };
  useWritingKeys("Pinning", { i: () => void pin() });
  return (
    <ForRole least="investigator">
      <Button
        onClick={() => void pin()}
        title="Pin this dump to an investigation: its text is sent to this server and kept there"
      >
        Pin, sends the text <kbd className="text-ink-3 max-md:hidden">i</kbd>
      </Button>
    </ForRole>
  );
}

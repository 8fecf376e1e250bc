import { useCallback } from "react";
import type { ReactNode } from "react";
import type { Mark } from "#lib/charts/marks-model.ts";
import { EffectCard } from "./effect-card.tsx";

/** What a mark did, as charts show it at its flag; the same function while zone and clock are. */
export function useEffectCard(zone: string, nowMs: number): (mark: Mark) => ReactNode {
  return useCallback((mark) => <EffectCard mark={mark} zone={zone} nowMs={nowMs} />, [zone, nowMs]);
}

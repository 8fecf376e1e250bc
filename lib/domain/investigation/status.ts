/** Where an investigation stands. */
export const INVESTIGATION_STATUSES = ["open", "watching", "resolved", "reopened"] as const;

type InvestigationStatus = (typeof INVESTIGATION_STATUSES)[number];

/**
 * Whether an investigation may go from one status to another: what was resolved comes back as reopened, never as open, and
 * only what was resolved can be reopened. Staying is allowed.
 *
 * @example mayBecome("resolved", "open") // false
 */
export function mayBecome(from: InvestigationStatus, to: InvestigationStatus): boolean {
  if (from === to) return true;
  if (from === "resolved") return to === "reopened";
  if (to === "reopened") return false;
  return to !== "open" || from === "watching";
}

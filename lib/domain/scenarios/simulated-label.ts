/** The label that simulated nodes carry; on those of a demonstration it says when their history was made, ISO 8601. */
export const SIMULATED_LABEL = "simulated";

/** Whether the numbers of a node are made up, by its own word. */
export function isSimulated({ labels }: { readonly labels: Readonly<Record<string, string>> }): boolean {
  return labels[SIMULATED_LABEL] !== undefined;
}

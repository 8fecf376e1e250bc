/** What replacing names replaces, and by what; the beginning of a sentence. */
export const REPLACED_NAMES =
  "Names of nodes, hosts, users, clusters and labels, addresses and ids become node-1, user-1, 192.0.2.1";

/** What it leaves as it is, in a sentence. */
export const KEPT_NAMES = "Paths and names of pods and programs stay.";

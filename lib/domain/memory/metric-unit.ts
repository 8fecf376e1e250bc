/** Unit of a metric's values. `KiB` is the kernel's kB; `pages` are those of the node. */
export type MetricUnit = "KiB" | "bytes" | "pages" | "count" | "percent" | "µs";

/** A gauge is a level; a counter only rises within a boot, and is shown as increase or rate. */
export type MetricKind = "gauge" | "counter";

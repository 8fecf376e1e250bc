/** Whether an address is that of a template such as `/nodes/{nodeId}`; both split at their slashes. */
export function isAt(template: readonly string[], asked: readonly string[]): boolean {
  return (
    template.length === asked.length &&
    template.every((segment, index) =>
      segment.startsWith("{") ? (asked[index] ?? "") !== "" : segment === asked[index],
    )
  );
}

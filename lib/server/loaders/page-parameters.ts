/** What stands behind the question mark of a page's address. */
export type PageParameters = Readonly<Record<string, string | string[] | undefined>>;

/** The first value of each parameter. */
export function firstOf(parameters: PageParameters): (name: string) => string | undefined {
  return (name) => {
    const value = parameters[name];
    return Array.isArray(value) ? value[0] : value;
  };
}

/** Which part of a list an address asks for, from 1; what is no number asks for the first. */
export function pageNumberOf(parameters: PageParameters): number {
  const text = firstOf(parameters)("page") ?? "";
  return /^\d{1,4}$/.test(text) ? Math.max(1, Number(text)) : 1;
}

/** All values of each parameter. */
export function allOf(parameters: PageParameters): (name: string) => readonly string[] {
  return (name) => [parameters[name] ?? []].flat();
}

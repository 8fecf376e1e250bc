/** What decides the colours: the system, or the reader. */
export type ThemeChoice = "system" | "light" | "dark";

/** Cookie that keeps the choice; the server reads it, so that no page flashes in the other theme. */
export const THEME_COOKIE = "plumbline_theme";

/** Reads the theme cookie; anything else than a theme is the system's. */
export function themeFromCookie(value: string | undefined): ThemeChoice {
  return value === "light" || value === "dark" ? value : "system";
}

import type { Page } from "@playwright/test";

/**
 * Has `goto` and `reload` of a page return only when the page listens: what the server drew can be read before React
 * has taken it over, and a key or click of that moment is lost. React writes properties on each element it took over;
 * its effects, which listen to keys, run before the second frame after that.
 */
export function awaitHydration(page: Page): Page {
  const listening = async () => {
    await page.waitForFunction(
      () =>
        !document.querySelector('script[src*="/_next/"]') ||
        [...document.querySelectorAll("button, input, select, textarea")].every((element) =>
          Object.keys(element).some((key) => key.startsWith("__reactProps$")),
        ),
    );
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
  };
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  page.goto = async (...args) => {
    const response = await goto(...args);
    await listening();
    return response;
  };
  page.reload = async (...args) => {
    const response = await reload(...args);
    await listening();
    return response;
  };
  return page;
}

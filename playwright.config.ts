import { defineConfig } from "@playwright/test";

/**
 * Browser stories: a production build, started as an operator starts it, with its own database and the real local
 * collector. A story that fails once has failed: there are no retries.
 */
export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/global-setup.ts",
  outputDir: "test-results",
  retries: 0,
  workers: 2,
  forbidOnly: true,
  // Guards against hanging, many times what a story takes.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: [["list"]],
  use: {
    browserName: "chromium",
    viewport: { width: 1440, height: 960 },
    locale: "en-GB",
    timezoneId: "America/Los_Angeles",
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    },
  },
});

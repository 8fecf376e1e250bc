import { defineConfig } from "vitest/config";

/** Tests run away from UTC so that code which leans on the machine's zone fails here and not on a user's machine. */
process.env.TZ = "America/Los_Angeles";

/** The times are guards against hanging, many times what a loaded machine takes. */
const common = { environment: "node" as const, testTimeout: 300_000, hookTimeout: 300_000 };

export default defineConfig({
  test: {
    // Vitest leaves one core to its watcher, which on two cores is half of them.
    maxWorkers: "100%",
    projects: [
      {
        test: {
          ...common,
          name: "unit",
          include: [
            "lib/**/*.test.{ts,tsx}",
            "components/**/*.test.{ts,tsx}",
            "scripts/**/*.test.ts",
            "leaklab/**/*.test.ts",
          ],
          exclude: ["lib/server/**", "**/*.calibration.test.ts"],
          setupFiles: ["scripts/testing/fail-on-console.ts", "scripts/testing/fixed-seed.ts"],
        },
      },
      {
        test: {
          ...common,
          name: "server",
          include: [
            "lib/server/**/*.test.ts",
            "app/**/*.test.ts",
            "prisma/**/*.test.ts",
            "processes/**/*.test.ts",
          ],
          globalSetup: ["scripts/testing/database.ts"],
          setupFiles: ["scripts/testing/fail-on-console.ts", "scripts/testing/fixed-seed.ts"],
        },
      },
      {
        test: {
          ...common,
          name: "collector",
          include: ["collector/**/*.test.ts"],
          setupFiles: ["scripts/testing/fail-on-console.ts", "scripts/testing/fixed-seed.ts"],
        },
      },
      {
        test: {
          ...common,
          name: "calibration",
          include: ["lib/**/*.calibration.test.ts"],
          testTimeout: 1_800_000,
        },
      },
    ],
  },
});

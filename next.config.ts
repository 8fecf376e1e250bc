import type { NextConfig } from "next";

const config: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  typescript: { ignoreBuildErrors: false },
  serverExternalPackages: ["pg", "pino", "@prisma/client", "@prisma/adapter-pg"],
};

export default config;

-- Links that show one investigation, and what frozen ones keep. Ordinary tables, which stay on the coordinator.

CREATE TABLE "ShareLink" (
    "id" SERIAL NOT NULL,
    "investigationId" INTEGER NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "redacted" BOOLEAN NOT NULL,
    "passwordHash" TEXT,
    "createdBy" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),
    "uses" INTEGER NOT NULL DEFAULT 0,
    "previews" INTEGER NOT NULL DEFAULT 0,
    "lastUsedAt" TIMESTAMPTZ(3),
    "partsTotal" INTEGER,
    "partsDone" INTEGER,
    "frozenAt" TIMESTAMPTZ(3),
    "contentHash" TEXT,

    CONSTRAINT "ShareLink_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "FrozenShare" (
    "shareId" INTEGER NOT NULL,
    "content" TEXT NOT NULL,

    CONSTRAINT "FrozenShare_pkey" PRIMARY KEY ("shareId")
);

CREATE UNIQUE INDEX "ShareLink_tokenHash_key" ON "ShareLink"("tokenHash");

CREATE INDEX "ShareLink_investigationId_idx" ON "ShareLink"("investigationId");

ALTER TABLE "ShareLink" ADD CONSTRAINT "ShareLink_investigationId_fkey" FOREIGN KEY ("investigationId") REFERENCES "Investigation"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

ALTER TABLE "FrozenShare" ADD CONSTRAINT "FrozenShare_shareId_fkey" FOREIGN KEY ("shareId") REFERENCES "ShareLink"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- Investigations with their parts. Ordinary tables, which stay on the coordinator.

CREATE TABLE "Investigation" (
    "id" SERIAL NOT NULL,
    "title" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "scope" JSONB NOT NULL,
    "nodeIds" INTEGER[],
    "windowFrom" TIMESTAMPTZ(3) NOT NULL,
    "windowTo" TIMESTAMPTZ(3),
    "conclusion" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "people" TEXT[],
    "version" INTEGER NOT NULL DEFAULT 1,
    "createdBy" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedBy" TEXT NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Investigation_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "Hypothesis" (
    "id" SERIAL NOT NULL,
    "investigationId" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "evidence" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "createdBy" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedBy" TEXT NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Hypothesis_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "Pin" (
    "id" SERIAL NOT NULL,
    "investigationId" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "caption" TEXT NOT NULL,
    "content" TEXT,
    "position" INTEGER NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "createdBy" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedBy" TEXT NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Pin_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "LogEntry" (
    "id" SERIAL NOT NULL,
    "investigationId" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "madeBy" TEXT NOT NULL,
    "annotationId" INTEGER,
    "nodeIds" INTEGER[],
    "dedupeKey" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,
    "createdBy" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedBy" TEXT NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "LogEntry_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "InvestigationRevision" (
    "id" SERIAL NOT NULL,
    "investigationId" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "before" JSONB NOT NULL,
    "after" JSONB NOT NULL,

    CONSTRAINT "InvestigationRevision_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "Investigation_updatedAt_idx" ON "Investigation"("updatedAt");

CREATE INDEX "Investigation_nodeIds_idx" ON "Investigation" USING GIN ("nodeIds");

CREATE INDEX "Hypothesis_investigationId_idx" ON "Hypothesis"("investigationId");

CREATE UNIQUE INDEX "Pin_investigationId_number_key" ON "Pin"("investigationId", "number");

CREATE INDEX "LogEntry_investigationId_at_idx" ON "LogEntry"("investigationId", "at");

CREATE UNIQUE INDEX "LogEntry_investigationId_dedupeKey_key" ON "LogEntry"("investigationId", "dedupeKey");

CREATE INDEX "InvestigationRevision_investigationId_idx" ON "InvestigationRevision"("investigationId");

ALTER TABLE "Hypothesis" ADD CONSTRAINT "Hypothesis_investigationId_fkey" FOREIGN KEY ("investigationId") REFERENCES "Investigation"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

ALTER TABLE "Pin" ADD CONSTRAINT "Pin_investigationId_fkey" FOREIGN KEY ("investigationId") REFERENCES "Investigation"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

ALTER TABLE "LogEntry" ADD CONSTRAINT "LogEntry_investigationId_fkey" FOREIGN KEY ("investigationId") REFERENCES "Investigation"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

ALTER TABLE "InvestigationRevision" ADD CONSTRAINT "InvestigationRevision_investigationId_fkey" FOREIGN KEY ("investigationId") REFERENCES "Investigation"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

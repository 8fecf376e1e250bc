-- History that is brought in from a Prometheus, and what its remote write delivers until it is made snapshots. Ordinary
-- tables, which stay on the coordinator.

CREATE TABLE "HistoryImport" (
    "id" SERIAL NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "createdBy" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "cluster" TEXT NOT NULL,
    "fromAt" TIMESTAMPTZ(3) NOT NULL,
    "toAt" TIMESTAMPTZ(3) NOT NULL,
    "match" TEXT[],
    "nodeLabel" TEXT,
    "stepSeconds" INTEGER,
    "bearer" TEXT,
    "runner" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "statusAt" TIMESTAMPTZ(3) NOT NULL,
    "leaseUntil" TIMESTAMPTZ(3),
    "cursorAt" TIMESTAMPTZ(3) NOT NULL,
    "started" JSON NOT NULL,
    "counts" JSON NOT NULL,
    "error" TEXT,

    CONSTRAINT "HistoryImport_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "ScrapePart" (
    "clusterId" INTEGER NOT NULL,
    "node" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "host" TEXT,
    "fields" JSONB NOT NULL,
    "receivedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ScrapePart_pkey" PRIMARY KEY ("clusterId","node","at")
);

CREATE TABLE "ScrapeCount" (
    "clusterId" INTEGER NOT NULL,
    "node" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "started" JSON NOT NULL,

    CONSTRAINT "ScrapeCount_pkey" PRIMARY KEY ("clusterId","node")
);

CREATE INDEX "HistoryImport_status_idx" ON "HistoryImport"("status");

CREATE INDEX "ScrapePart_receivedAt_idx" ON "ScrapePart"("receivedAt");

-- Written, read and deleted within seconds.
ALTER TABLE "ScrapePart" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- Trends of the headline metrics over fixed windows, and the daily range that they are held against. One row a node,
-- metric and window, rewritten at each refresh: ordinary tables, as NodeOutlook is, whose one stored trend they replace.

CREATE TABLE "NodeTrend" (
    "nodeId" INTEGER NOT NULL,
    "metric" TEXT NOT NULL,
    "window" TEXT NOT NULL,
    "computedAt" TIMESTAMPTZ(3) NOT NULL,
    "verdict" TEXT NOT NULL,
    "slopePerHour" DOUBLE PRECISION,
    "lower" DOUBLE PRECISION,
    "upper" DOUBLE PRECISION,
    "pValue" DOUBLE PRECISION,
    "n" INTEGER NOT NULL,
    "exhaustionWhat" TEXT,
    "exhaustionAt" TIMESTAMPTZ(3),
    "exhaustionFrom" TIMESTAMPTZ(3),
    "exhaustionTo" TIMESTAMPTZ(3),
    "answer" JSON NOT NULL,

    CONSTRAINT "NodeTrend_pkey" PRIMARY KEY ("window","metric","nodeId")
);

CREATE TABLE "NodeDailyRange" (
    "nodeId" INTEGER NOT NULL,
    "metric" TEXT NOT NULL,
    "computedAt" TIMESTAMPTZ(3) NOT NULL,
    "days" INTEGER NOT NULL,
    "own" DOUBLE PRECISION,
    "known" DOUBLE PRECISION,

    CONSTRAINT "NodeDailyRange_pkey" PRIMARY KEY ("nodeId","metric")
);
CREATE INDEX "NodeTrend_window_exhaustionAt_idx" ON "NodeTrend"("window", "exhaustionAt");
ALTER TABLE "NodeTrend" ADD CONSTRAINT "NodeTrend_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES "Node"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "NodeDailyRange" ADD CONSTRAINT "NodeDailyRange_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES "Node"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "NodeOutlook" DROP COLUMN "trend";
ALTER TABLE "NodeOutlook" DROP COLUMN "trendAt";

-- All rows of a window are rewritten at once: room in the page lets most updates stay on it, without touching an index.
ALTER TABLE "NodeTrend" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.1);

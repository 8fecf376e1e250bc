-- Known leaks found on nodes, how they came and went, and what else was read of each node's history. Ordinary tables, which
-- stay on the coordinator.

CREATE TABLE "Finding" (
    "id" SERIAL NOT NULL,
    "nodeId" INTEGER NOT NULL,
    "signature" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "certainty" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "stateAt" TIMESTAMPTZ(3) NOT NULL,
    "firstSeenAt" TIMESTAMPTZ(3) NOT NULL,
    "lastSeenAt" TIMESTAMPTZ(3) NOT NULL,
    "score" DOUBLE PRECISION NOT NULL,
    "detail" JSON NOT NULL,

    CONSTRAINT "Finding_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "FindingChange" (
    "id" SERIAL NOT NULL,
    "findingId" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT NOT NULL,
    "became" TEXT NOT NULL,
    "note" TEXT,

    CONSTRAINT "FindingChange_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "NodeReading" (
    "nodeId" INTEGER NOT NULL,
    "computedAt" TIMESTAMPTZ(3) NOT NULL,
    "fromAt" TIMESTAMPTZ(3) NOT NULL,
    "toAt" TIMESTAMPTZ(3) NOT NULL,
    "reading" JSON NOT NULL,

    CONSTRAINT "NodeReading_pkey" PRIMARY KEY ("nodeId")
);

CREATE INDEX "Finding_signature_idx" ON "Finding"("signature");

CREATE UNIQUE INDEX "Finding_nodeId_signature_key" ON "Finding"("nodeId", "signature");

CREATE INDEX "FindingChange_findingId_idx" ON "FindingChange"("findingId");

ALTER TABLE "Finding" ADD CONSTRAINT "Finding_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES "Node"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

ALTER TABLE "FindingChange" ADD CONSTRAINT "FindingChange_findingId_fkey" FOREIGN KEY ("findingId") REFERENCES "Finding"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

ALTER TABLE "NodeReading" ADD CONSTRAINT "NodeReading_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES "Node"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

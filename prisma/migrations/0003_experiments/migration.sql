-- Interventions that are followed: what they are compared with, where they stand, and what was found after so long.
-- Ordinary tables, which stay on the coordinator.

ALTER TABLE "Annotation" ADD COLUMN "controls" JSONB;

ALTER TABLE "Annotation" ADD COLUMN "controlNodeIds" INTEGER[] DEFAULT ARRAY[]::INTEGER[];

CREATE TABLE "Experiment" (
    "annotationId" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "statusAt" TIMESTAMPTZ(3) NOT NULL,
    "metrics" TEXT[],
    "returnedAt" TIMESTAMPTZ(3),
    "nextLookAt" TIMESTAMPTZ(3),
    "lookedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Experiment_pkey" PRIMARY KEY ("annotationId")
);

CREATE TABLE "FollowUp" (
    "id" SERIAL NOT NULL,
    "annotationId" INTEGER NOT NULL,
    "nodeId" INTEGER,
    "metric" TEXT NOT NULL,
    "horizon" TEXT NOT NULL,
    "dueAt" TIMESTAMPTZ(3) NOT NULL,
    "computedAt" TIMESTAMPTZ(3) NOT NULL,
    "checkedAt" TIMESTAMPTZ(3) NOT NULL,
    "supersededAt" TIMESTAMPTZ(3),
    "treatedNodeIds" INTEGER[],
    "controlNodeIds" INTEGER[],
    "dataHash" TEXT NOT NULL,
    "slopeVerdict" TEXT NOT NULL,
    "levelVerdict" TEXT NOT NULL,
    "effect" JSON NOT NULL,

    CONSTRAINT "FollowUp_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "Experiment_nextLookAt_idx" ON "Experiment"("nextLookAt");

CREATE INDEX "FollowUp_annotationId_supersededAt_idx" ON "FollowUp"("annotationId", "supersededAt");

ALTER TABLE "Experiment" ADD CONSTRAINT "Experiment_annotationId_fkey" FOREIGN KEY ("annotationId") REFERENCES "Annotation"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

ALTER TABLE "FollowUp" ADD CONSTRAINT "FollowUp_annotationId_fkey" FOREIGN KEY ("annotationId") REFERENCES "Annotation"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- Numbers of the sections that tell what holds memory in the kernel, by the name of their metric: new ones need no
-- column. The table is partitioned as the other series are; the dictionary of names is an ordinary table.

CREATE TABLE "CounterSample" (
    "nodeId" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "bootRef" INTEGER NOT NULL,
    "nameIds" INTEGER[],
    "values" DOUBLE PRECISION[],
    "details" JSONB,

    CONSTRAINT "CounterSample_pkey" PRIMARY KEY ("nodeId","at")
) PARTITION BY RANGE ("at");

CREATE TABLE "CounterName" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,

    CONSTRAINT "CounterName_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "CounterName_name_key" ON "CounterName"("name");

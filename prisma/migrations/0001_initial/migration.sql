-- Everything of the first version. Time series are partitioned by range of "at" and written by hand: every key holds
-- "nodeId", no foreign key leaves them, no trigger anywhere, so that they can be distributed (docs/decisions).
-- Partitions are made by lib/server/data/partitions.ts, never here.

CREATE TABLE "ApiToken" (
    "id" SERIAL NOT NULL,
    "clusterId" INTEGER,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "scopes" TEXT[],
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3),
    "lastUsedAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ApiToken_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "AuditEvent" (
    "id" SERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "detail" JSONB NOT NULL,

    CONSTRAINT "AuditEvent_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "Annotation" (
    "id" SERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "endsAt" TIMESTAMPTZ(3),
    "scope" JSONB NOT NULL,
    "nodeIds" INTEGER[],
    "kind" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "text" TEXT,
    "tags" TEXT[],
    "author" TEXT NOT NULL,
    "madeBy" TEXT NOT NULL,
    "dedupeKey" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Annotation_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "Cluster" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Cluster_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "Node" (
    "id" SERIAL NOT NULL,
    "clusterId" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "firstSeenAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Node_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "NodeRevision" (
    "id" SERIAL NOT NULL,
    "nodeId" INTEGER NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "kernelRelease" TEXT NOT NULL,
    "cpus" INTEGER NOT NULL,
    "pageSizeBytes" INTEGER,
    "cgroupMode" TEXT,
    "versions" JSONB NOT NULL,
    "labels" JSONB NOT NULL,

    CONSTRAINT "NodeRevision_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "Boot" (
    "id" SERIAL NOT NULL,
    "nodeId" INTEGER NOT NULL,
    "bootId" TEXT NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "firstAt" TIMESTAMPTZ(3) NOT NULL,
    "lastAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Boot_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "NodeNewest" (
    "nodeId" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "receivedAt" TIMESTAMPTZ(3) NOT NULL,
    "bootRef" INTEGER NOT NULL,
    "counters" JSON NOT NULL,
    "details" JSON NOT NULL,
    "conflictAt" TIMESTAMPTZ(3),

    CONSTRAINT "NodeNewest_pkey" PRIMARY KEY ("nodeId")
);

CREATE TABLE "NodeOutlook" (
    "nodeId" INTEGER NOT NULL,
    "computedAt" TIMESTAMPTZ(3) NOT NULL,
    "containersPerHour" DOUBLE PRECISION,
    "sparkline" JSON NOT NULL,
    "trend" JSON,
    "trendAt" TIMESTAMPTZ(3),

    CONSTRAINT "NodeOutlook_pkey" PRIMARY KEY ("nodeId")
);

CREATE TABLE "Snapshot" (
    "nodeId" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "bootRef" INTEGER NOT NULL,
    "MemTotal" BIGINT,
    "MemFree" BIGINT,
    "MemAvailable" BIGINT,
    "Buffers" BIGINT,
    "Cached" BIGINT,
    "SwapCached" BIGINT,
    "Active" BIGINT,
    "Inactive" BIGINT,
    "Active_anon" BIGINT,
    "Inactive_anon" BIGINT,
    "Active_file" BIGINT,
    "Inactive_file" BIGINT,
    "Unevictable" BIGINT,
    "Mlocked" BIGINT,
    "SwapTotal" BIGINT,
    "SwapFree" BIGINT,
    "Zswap" BIGINT,
    "Dirty" BIGINT,
    "Writeback" BIGINT,
    "AnonPages" BIGINT,
    "Mapped" BIGINT,
    "Shmem" BIGINT,
    "KReclaimable" BIGINT,
    "Slab" BIGINT,
    "SReclaimable" BIGINT,
    "SUnreclaim" BIGINT,
    "KernelStack" BIGINT,
    "ShadowCallStack" BIGINT,
    "PageTables" BIGINT,
    "SecPageTables" BIGINT,
    "Quicklists" BIGINT,
    "Bounce" BIGINT,
    "WritebackTmp" BIGINT,
    "Committed_AS" BIGINT,
    "VmallocUsed" BIGINT,
    "VmallocChunk" BIGINT,
    "Percpu" BIGINT,
    "HardwareCorrupted" BIGINT,
    "AnonHugePages" BIGINT,
    "CmaFree" BIGINT,
    "Balloon" BIGINT,
    "GPUActive" BIGINT,
    "GPUReclaim" BIGINT,
    "HugePages_Total" BIGINT,
    "Hugepagesize" BIGINT,
    "Hugetlb" BIGINT,
    "drop_pagecache" BIGINT,
    "drop_slab" BIGINT,
    "oom_kill" BIGINT,
    "uptimeMs" BIGINT,
    "pcpFreeKib" BIGINT,
    "zspagesKib" BIGINT,
    "cgroupMemoryCount" BIGINT,
    "cgroupLive" BIGINT,
    "cgroupDying" BIGINT,
    "containersStarted" BIGINT,
    "containersLive" BIGINT,
    "forks" BIGINT,
    "vmapStack" BIGINT,
    "kernelImageKib" BIGINT,
    "selfCpuMs" BIGINT,
    "selfRssKib" BIGINT,

    CONSTRAINT "Snapshot_pkey" PRIMARY KEY ("nodeId","at")
) PARTITION BY RANGE ("at");

CREATE TABLE "SnapshotExtra" (
    "nodeId" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "bootRef" INTEGER NOT NULL,
    "baseAt" TIMESTAMPTZ(3) NOT NULL,
    "counters" JSONB NOT NULL,

    CONSTRAINT "SnapshotExtra_pkey" PRIMARY KEY ("nodeId","at")
) PARTITION BY RANGE ("at");

CREATE TABLE "SlabSample" (
    "nodeId" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "bootRef" INTEGER NOT NULL,
    "cacheIds" INTEGER[],
    "activeObjs" BIGINT[],
    "numObjs" BIGINT[],
    "sizeKib" BIGINT[],

    CONSTRAINT "SlabSample_pkey" PRIMARY KEY ("nodeId","at")
) PARTITION BY RANGE ("at");

CREATE TABLE "WatchSample" (
    "nodeId" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "bootRef" INTEGER NOT NULL,
    "pathIds" INTEGER[],
    "files" BIGINT[],
    "atLeast" BOOLEAN[],

    CONSTRAINT "WatchSample_pkey" PRIMARY KEY ("nodeId","at")
) PARTITION BY RANGE ("at");

CREATE TABLE "TmpfsSample" (
    "nodeId" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "bootRef" INTEGER NOT NULL,
    "pathIds" INTEGER[],
    "sizeKib" BIGINT[],
    "usedKib" BIGINT[],
    "inodes" BIGINT[],
    "inodesUsed" BIGINT[],

    CONSTRAINT "TmpfsSample_pkey" PRIMARY KEY ("nodeId","at")
) PARTITION BY RANGE ("at");

CREATE TABLE "SnapshotRollup5min" (
    "nodeId" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "bootRef" INTEGER NOT NULL,
    "samples" INTEGER NOT NULL,
    "firstAt" TIMESTAMPTZ(3) NOT NULL,
    "lastAt" TIMESTAMPTZ(3) NOT NULL,
    "MemTotal" DOUBLE PRECISION,
    "MemFree" DOUBLE PRECISION,
    "MemAvailable" DOUBLE PRECISION,
    "Buffers" DOUBLE PRECISION,
    "Cached" DOUBLE PRECISION,
    "SwapCached" DOUBLE PRECISION,
    "Active" DOUBLE PRECISION,
    "Inactive" DOUBLE PRECISION,
    "Active_anon" DOUBLE PRECISION,
    "Inactive_anon" DOUBLE PRECISION,
    "Active_file" DOUBLE PRECISION,
    "Inactive_file" DOUBLE PRECISION,
    "Unevictable" DOUBLE PRECISION,
    "Mlocked" DOUBLE PRECISION,
    "SwapTotal" DOUBLE PRECISION,
    "SwapFree" DOUBLE PRECISION,
    "Zswap" DOUBLE PRECISION,
    "Dirty" DOUBLE PRECISION,
    "Writeback" DOUBLE PRECISION,
    "AnonPages" DOUBLE PRECISION,
    "Mapped" DOUBLE PRECISION,
    "Shmem" DOUBLE PRECISION,
    "KReclaimable" DOUBLE PRECISION,
    "Slab" DOUBLE PRECISION,
    "SReclaimable" DOUBLE PRECISION,
    "SUnreclaim" DOUBLE PRECISION,
    "KernelStack" DOUBLE PRECISION,
    "ShadowCallStack" DOUBLE PRECISION,
    "PageTables" DOUBLE PRECISION,
    "SecPageTables" DOUBLE PRECISION,
    "Quicklists" DOUBLE PRECISION,
    "Bounce" DOUBLE PRECISION,
    "WritebackTmp" DOUBLE PRECISION,
    "Committed_AS" DOUBLE PRECISION,
    "VmallocUsed" DOUBLE PRECISION,
    "VmallocChunk" DOUBLE PRECISION,
    "Percpu" DOUBLE PRECISION,
    "HardwareCorrupted" DOUBLE PRECISION,
    "AnonHugePages" DOUBLE PRECISION,
    "CmaFree" DOUBLE PRECISION,
    "Balloon" DOUBLE PRECISION,
    "GPUActive" DOUBLE PRECISION,
    "GPUReclaim" DOUBLE PRECISION,
    "HugePages_Total" DOUBLE PRECISION,
    "Hugepagesize" DOUBLE PRECISION,
    "Hugetlb" DOUBLE PRECISION,
    "drop_pagecache" DOUBLE PRECISION,
    "drop_slab" DOUBLE PRECISION,
    "oom_kill" DOUBLE PRECISION,
    "uptimeMs" DOUBLE PRECISION,
    "pcpFreeKib" DOUBLE PRECISION,
    "zspagesKib" DOUBLE PRECISION,
    "cgroupMemoryCount" DOUBLE PRECISION,
    "cgroupLive" DOUBLE PRECISION,
    "cgroupDying" DOUBLE PRECISION,
    "containersStarted" DOUBLE PRECISION,
    "containersLive" DOUBLE PRECISION,
    "forks" DOUBLE PRECISION,
    "vmapStack" DOUBLE PRECISION,
    "kernelImageKib" DOUBLE PRECISION,
    "selfCpuMs" DOUBLE PRECISION,
    "selfRssKib" DOUBLE PRECISION,
    "min_MemFree" DOUBLE PRECISION,
    "max_MemFree" DOUBLE PRECISION,
    "min_MemAvailable" DOUBLE PRECISION,
    "max_MemAvailable" DOUBLE PRECISION,
    "min_Cached" DOUBLE PRECISION,
    "max_Cached" DOUBLE PRECISION,
    "min_AnonPages" DOUBLE PRECISION,
    "max_AnonPages" DOUBLE PRECISION,
    "min_Shmem" DOUBLE PRECISION,
    "max_Shmem" DOUBLE PRECISION,
    "min_SReclaimable" DOUBLE PRECISION,
    "max_SReclaimable" DOUBLE PRECISION,
    "min_SUnreclaim" DOUBLE PRECISION,
    "max_SUnreclaim" DOUBLE PRECISION,
    "min_KernelStack" DOUBLE PRECISION,
    "max_KernelStack" DOUBLE PRECISION,
    "min_PageTables" DOUBLE PRECISION,
    "max_PageTables" DOUBLE PRECISION,
    "min_VmallocUsed" DOUBLE PRECISION,
    "max_VmallocUsed" DOUBLE PRECISION,
    "min_Percpu" DOUBLE PRECISION,
    "max_Percpu" DOUBLE PRECISION,
    "min_cgroupMemoryCount" DOUBLE PRECISION,
    "max_cgroupMemoryCount" DOUBLE PRECISION,
    "min_cgroupLive" DOUBLE PRECISION,
    "max_cgroupLive" DOUBLE PRECISION,
    "min_cgroupDying" DOUBLE PRECISION,
    "max_cgroupDying" DOUBLE PRECISION,
    "min_containersStarted" DOUBLE PRECISION,
    "max_containersStarted" DOUBLE PRECISION,
    "min_containersLive" DOUBLE PRECISION,
    "max_containersLive" DOUBLE PRECISION,

    CONSTRAINT "SnapshotRollup5min_pkey" PRIMARY KEY ("nodeId","at","bootRef")
) PARTITION BY RANGE ("at");

CREATE TABLE "SnapshotRollup1h" (
    "nodeId" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "bootRef" INTEGER NOT NULL,
    "samples" INTEGER NOT NULL,
    "firstAt" TIMESTAMPTZ(3) NOT NULL,
    "lastAt" TIMESTAMPTZ(3) NOT NULL,
    "MemTotal" DOUBLE PRECISION,
    "MemFree" DOUBLE PRECISION,
    "MemAvailable" DOUBLE PRECISION,
    "Buffers" DOUBLE PRECISION,
    "Cached" DOUBLE PRECISION,
    "SwapCached" DOUBLE PRECISION,
    "Active" DOUBLE PRECISION,
    "Inactive" DOUBLE PRECISION,
    "Active_anon" DOUBLE PRECISION,
    "Inactive_anon" DOUBLE PRECISION,
    "Active_file" DOUBLE PRECISION,
    "Inactive_file" DOUBLE PRECISION,
    "Unevictable" DOUBLE PRECISION,
    "Mlocked" DOUBLE PRECISION,
    "SwapTotal" DOUBLE PRECISION,
    "SwapFree" DOUBLE PRECISION,
    "Zswap" DOUBLE PRECISION,
    "Dirty" DOUBLE PRECISION,
    "Writeback" DOUBLE PRECISION,
    "AnonPages" DOUBLE PRECISION,
    "Mapped" DOUBLE PRECISION,
    "Shmem" DOUBLE PRECISION,
    "KReclaimable" DOUBLE PRECISION,
    "Slab" DOUBLE PRECISION,
    "SReclaimable" DOUBLE PRECISION,
    "SUnreclaim" DOUBLE PRECISION,
    "KernelStack" DOUBLE PRECISION,
    "ShadowCallStack" DOUBLE PRECISION,
    "PageTables" DOUBLE PRECISION,
    "SecPageTables" DOUBLE PRECISION,
    "Quicklists" DOUBLE PRECISION,
    "Bounce" DOUBLE PRECISION,
    "WritebackTmp" DOUBLE PRECISION,
    "Committed_AS" DOUBLE PRECISION,
    "VmallocUsed" DOUBLE PRECISION,
    "VmallocChunk" DOUBLE PRECISION,
    "Percpu" DOUBLE PRECISION,
    "HardwareCorrupted" DOUBLE PRECISION,
    "AnonHugePages" DOUBLE PRECISION,
    "CmaFree" DOUBLE PRECISION,
    "Balloon" DOUBLE PRECISION,
    "GPUActive" DOUBLE PRECISION,
    "GPUReclaim" DOUBLE PRECISION,
    "HugePages_Total" DOUBLE PRECISION,
    "Hugepagesize" DOUBLE PRECISION,
    "Hugetlb" DOUBLE PRECISION,
    "drop_pagecache" DOUBLE PRECISION,
    "drop_slab" DOUBLE PRECISION,
    "oom_kill" DOUBLE PRECISION,
    "uptimeMs" DOUBLE PRECISION,
    "pcpFreeKib" DOUBLE PRECISION,
    "zspagesKib" DOUBLE PRECISION,
    "cgroupMemoryCount" DOUBLE PRECISION,
    "cgroupLive" DOUBLE PRECISION,
    "cgroupDying" DOUBLE PRECISION,
    "containersStarted" DOUBLE PRECISION,
    "containersLive" DOUBLE PRECISION,
    "forks" DOUBLE PRECISION,
    "vmapStack" DOUBLE PRECISION,
    "kernelImageKib" DOUBLE PRECISION,
    "selfCpuMs" DOUBLE PRECISION,
    "selfRssKib" DOUBLE PRECISION,
    "min_MemFree" DOUBLE PRECISION,
    "max_MemFree" DOUBLE PRECISION,
    "min_MemAvailable" DOUBLE PRECISION,
    "max_MemAvailable" DOUBLE PRECISION,
    "min_Cached" DOUBLE PRECISION,
    "max_Cached" DOUBLE PRECISION,
    "min_AnonPages" DOUBLE PRECISION,
    "max_AnonPages" DOUBLE PRECISION,
    "min_Shmem" DOUBLE PRECISION,
    "max_Shmem" DOUBLE PRECISION,
    "min_SReclaimable" DOUBLE PRECISION,
    "max_SReclaimable" DOUBLE PRECISION,
    "min_SUnreclaim" DOUBLE PRECISION,
    "max_SUnreclaim" DOUBLE PRECISION,
    "min_KernelStack" DOUBLE PRECISION,
    "max_KernelStack" DOUBLE PRECISION,
    "min_PageTables" DOUBLE PRECISION,
    "max_PageTables" DOUBLE PRECISION,
    "min_VmallocUsed" DOUBLE PRECISION,
    "max_VmallocUsed" DOUBLE PRECISION,
    "min_Percpu" DOUBLE PRECISION,
    "max_Percpu" DOUBLE PRECISION,
    "min_cgroupMemoryCount" DOUBLE PRECISION,
    "max_cgroupMemoryCount" DOUBLE PRECISION,
    "min_cgroupLive" DOUBLE PRECISION,
    "max_cgroupLive" DOUBLE PRECISION,
    "min_cgroupDying" DOUBLE PRECISION,
    "max_cgroupDying" DOUBLE PRECISION,
    "min_containersStarted" DOUBLE PRECISION,
    "max_containersStarted" DOUBLE PRECISION,
    "min_containersLive" DOUBLE PRECISION,
    "max_containersLive" DOUBLE PRECISION,

    CONSTRAINT "SnapshotRollup1h_pkey" PRIMARY KEY ("nodeId","at","bootRef")
) PARTITION BY RANGE ("at");

CREATE TABLE "DirtyBucket" (
    "seconds" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "nodeId" INTEGER NOT NULL,
    "markedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "DirtyBucket_pkey" PRIMARY KEY ("nodeId","seconds","at")
);

CREATE TABLE "SlabCache" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "objSizeBytes" BIGINT NOT NULL,

    CONSTRAINT "SlabCache_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "StoredPath" (
    "id" SERIAL NOT NULL,
    "path" TEXT NOT NULL,

    CONSTRAINT "StoredPath_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "ApiToken_hash_key" ON "ApiToken"("hash");
CREATE INDEX "ApiToken_prefix_idx" ON "ApiToken"("prefix");
CREATE INDEX "AuditEvent_at_idx" ON "AuditEvent"("at");
CREATE UNIQUE INDEX "Annotation_dedupeKey_key" ON "Annotation"("dedupeKey");
CREATE INDEX "Annotation_at_idx" ON "Annotation"("at");
CREATE INDEX "Annotation_nodeIds_idx" ON "Annotation" USING GIN ("nodeIds");
CREATE UNIQUE INDEX "Cluster_name_key" ON "Cluster"("name");
CREATE UNIQUE INDEX "Node_clusterId_name_key" ON "Node"("clusterId", "name");
CREATE UNIQUE INDEX "NodeRevision_nodeId_since_key" ON "NodeRevision"("nodeId", "since");
CREATE INDEX "Boot_nodeId_firstAt_idx" ON "Boot"("nodeId", "firstAt");
CREATE UNIQUE INDEX "Boot_nodeId_bootId_key" ON "Boot"("nodeId", "bootId");
CREATE UNIQUE INDEX "SlabCache_name_objSizeBytes_key" ON "SlabCache"("name", "objSizeBytes");
CREATE UNIQUE INDEX "StoredPath_path_key" ON "StoredPath"("path");
ALTER TABLE "ApiToken" ADD CONSTRAINT "ApiToken_clusterId_fkey" FOREIGN KEY ("clusterId") REFERENCES "Cluster"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "Node" ADD CONSTRAINT "Node_clusterId_fkey" FOREIGN KEY ("clusterId") REFERENCES "Cluster"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "NodeRevision" ADD CONSTRAINT "NodeRevision_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES "Node"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "Boot" ADD CONSTRAINT "Boot_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES "Node"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "NodeNewest" ADD CONSTRAINT "NodeNewest_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES "Node"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "NodeOutlook" ADD CONSTRAINT "NodeOutlook_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES "Node"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- Rewritten at each snapshot of a node: room in the page lets the update stay on it, without touching the index.
ALTER TABLE "NodeNewest" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
ALTER TABLE "DirtyBucket" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

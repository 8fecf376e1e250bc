-- Where imported investigations come from, beside the file that says it, which may have megabytes.

ALTER TABLE "ShareLink" ADD COLUMN "origin" TEXT,
ADD COLUMN "readAt" TIMESTAMPTZ(3);

UPDATE "ShareLink" AS link
SET "origin" = file."content"::json ->> 'origin',
    "readAt" = to_timestamp((file."content"::json ->> 'readAt')::double precision / 1000)
FROM "FrozenShare" AS file
WHERE file."shareId" = link."id" AND link."kind" = 'import';

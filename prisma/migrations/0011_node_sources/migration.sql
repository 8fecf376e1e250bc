-- How reading each source went is two thirds of a node's newest state, and no list of nodes shows it: a column of its own.

ALTER TABLE "NodeNewest" ADD COLUMN "sources" JSONB;

UPDATE "NodeNewest" SET
    "sources" = (
        SELECT jsonb_object_agg(source.key, source.value || jsonb_strip_nulls(
            jsonb_build_object('since', "details"::jsonb -> 'sourcesSince' -> source.key)))
        FROM jsonb_each("details"::jsonb -> 'sources') source),
    "details" = ("details"::jsonb - 'sources' - 'sourcesSince' || jsonb_build_object('blindSources', (
        SELECT coalesce(jsonb_agg(source.key ORDER BY source.key COLLATE "C"), '[]')
        FROM jsonb_each("details"::jsonb -> 'sources') source
        WHERE source.value ->> 'status' IN ('denied', 'malformed', 'truncated'))))::json
WHERE "details" -> 'sources' IS NOT NULL;

import type pg from "pg";

/**
 * Spreads the time-series tables over the workers of a Citus cluster; does nothing where the extension is not
 * installed, or where a table is spread already. All tables are hashed by one column and kept together, so that what
 * belongs to one node lies on one worker. Everything else stays an ordinary table of the coordinator.
 *
 * Sent as one DO block, because the functions it calls do not exist without the extension: PL/pgSQL looks them up only
 * when it gets there.
 * @throws Error when connected to a worker instead of the coordinator.
 */
export async function distributeOverCitus(
  client: pg.ClientBase,
  options: { tables: readonly string[]; column: string; shards: number },
): Promise<void> {
  const names = options.tables.map((table) => `'${table}'`).join(", ");
  await client.query("begin");
  try {
    await client.query(`
      do $distribute$
      declare
        wanted constant text[] := array[${names}];
        anchor constant regclass := quote_ident(wanted[1])::regclass;
        target regclass;
        is_anchor boolean;
        first boolean;
      begin
        if to_regproc('pg_catalog.create_distributed_table') is null
          or not exists (select from pg_extension where extname = 'citus') then
          return;
        end if;
        perform set_config('citus.multi_shard_modify_mode', 'sequential', true);
        select groupid = 0 into first from pg_dist_local_group;
        if not first then
          raise exception 'this is a Citus worker; DATABASE_URL must name the coordinator';
        end if;
        for index in 1 .. array_length(wanted, 1) loop
          target := quote_ident(wanted[index])::regclass;
          is_anchor := target = anchor;
          continue when exists (
            select from pg_dist_partition where logicalrelid = target and partmethod = 'h');
          if is_anchor then
            perform create_distributed_table(target, '${options.column}',
              colocate_with := 'none', shard_count := ${Math.trunc(options.shards)});
          else
            perform create_distributed_table(target, '${options.column}', colocate_with := anchor::text);
          end if;
        end loop;
      end
      $distribute$`);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

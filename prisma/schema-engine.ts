import { readFile, readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import pg from "pg";
import * as engineModule from "@prisma/schema-engine-wasm/schema_engine_bg";

/**
 * Prisma's schema engine as WebAssembly: the same that `prisma migrate` would download as an executable. Used to
 * write and to compare SQL, never to apply it.
 */

const modelsDir = join(dirname(fileURLToPath(import.meta.url)), "models");

/** Tables that the models do not describe: the bookkeeping of migrate.ts. */
const EXTERNAL_TABLES = ["public._prisma_migrations"];

interface EngineFile {
  path: string;
  content: string;
}

/**
 * Catalogue columns such as `confdeltype` are of the internal type "char". The engine wants them as characters and the
 * adapter has no scalar type that becomes one: it goes through as the array type, and is put right behind the adapter.
 */
const INTERNAL_CHAR = 18;
const CHAR_ARRAY = 1002;

class CataloguePool extends pg.Pool {
  override query(...parameters: unknown[]): never {
    const send = super.query.bind(this) as (...parameters: unknown[]) => Promise<pg.QueryResult>;
    const sent = send(...parameters).then((result) => {
      for (const field of result.fields) {
        if (field.dataTypeID === INTERNAL_CHAR) field.dataTypeID = CHAR_ARRAY;
      }
      return result;
    });
    // The overloads of the base class cannot be repeated one by one; the adapter uses the one that gives a promise.
    return sent as never;
  }
}

class CatalogueAdapterFactory extends PrismaPg {
  override async connect(): ReturnType<PrismaPg["connect"]> {
    const adapter = await super.connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query) => {
      const result = await queryRaw(query);
      const columnTypes = result.columnTypes.map((type) =>
        type === ColumnTypeEnum.CharacterArray ? ColumnTypeEnum.Character : type,
      );
      return { ...result, columnTypes };
    };
    return adapter;
  }
}

let started: Promise<void> | undefined;

/** The package's own entry imports the .wasm file as a module, which Node.js 20 cannot. */
async function start(): Promise<void> {
  const file = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const bytes = await readFile(join(dirname(file), "schema_engine_bg.wasm"));
  // wasm-bindgen's glue exports these two although its typings leave them out.
  const glue = engineModule as unknown as WebAssembly.ModuleImports & {
    __wbg_set_wasm: (exports: WebAssembly.Exports) => void;
  };
  const { instance } = await WebAssembly.instantiate(bytes, { "./schema_engine_bg.js": glue });
  glue.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
}

async function readModels(): Promise<EngineFile[]> {
  const names = (await readdir(modelsDir)).filter((name) => name.endsWith(".prisma")).sort();
  return Promise.all(
    names.map(async (name) => {
      const path = join(modelsDir, name);
      return { path, content: await readFile(path, "utf8") };
    }),
  );
}

/**
 * SQL that turns a database into what prisma/models says; empty when it is that already.
 * @param databaseUrl without partitions: the engine takes each for a table of its own. It is only read.
 * @param from `empty` gives the whole schema, whatever the database holds.
 */
export async function diffModels(databaseUrl: string, from: "database" | "empty"): Promise<string> {
  started ??= start();
  await started;
  const files = await readModels();
  const pool = new CataloguePool({ connectionString: databaseUrl, max: 2 });
  const adapter = bindMigrationAwareSqlAdapterFactory(new CatalogueAdapterFactory(pool));
  const engine = await engineModule.SchemaEngine.new(
    { datamodels: files.map((file): [string, string] => [file.path, file.content]) },
    () => undefined,
    adapter,
  );
  try {
    const { stdout } = await engine.diff({
      from:
        from === "empty"
          ? { tag: "empty" }
          : { tag: "schemaDatasource", files, configDir: dirname(modelsDir) },
      to: { tag: "schemaDatamodel", files },
      script: true,
      exitCode: null,
      filters: { externalTables: EXTERNAL_TABLES, externalEnums: [] },
    });
    const script = (stdout ?? "").trim();
    return script === "-- This is an empty migration." ? "" : script;
  } finally {
    engine.free();
    await pool.end();
  }
}

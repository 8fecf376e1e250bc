import { Command, InvalidArgumentError, Option } from "commander";
import { issueToken as issueTokenSchema, tokenScope, type Token } from "#lib/contracts/token.ts";
import { issueToken } from "#lib/server/services/issue-token.ts";
import { listTokens } from "#lib/server/services/list-tokens.ts";
import { revokeToken } from "#lib/server/services/revoke-token.ts";
import { runCommand, withContext } from "./command-context.ts";
import { formatTokenTable, parseLifetimeMs } from "./token-text.ts";

function lifetime(text: string): number {
  const parsed = parseLifetimeMs(text);
  if (parsed === undefined) throw new InvalidArgumentError("Expected for instance 12h, 90d or 52w.");
  return parsed;
}

const scopes = (value: string, before: Token["scopes"] | undefined): Token["scopes"] => {
  const parsed = tokenScope.safeParse(value);
  if (!parsed.success) throw new InvalidArgumentError(`Expected one of ${tokenScope.options.join(", ")}.`);
  return [...(before ?? []), parsed.data];
};

const program = new Command("npm run token --").description(
  "Tokens for collectors and other callers of the API.",
);

program
  .command("create")
  .description("make a token; it is shown this once")
  .requiredOption("--name <name>", "what it is for")
  .option("--cluster <cluster>", "the cluster it belongs to, made when there is none of that name")
  .addOption(
    new Option("--scope <scope>", `may be repeated: ${tokenScope.options.join(", ")}`)
      .argParser(scopes)
      .makeOptionMandatory(),
  )
  .addOption(
    new Option("--expires <time>", "from now, for instance 90d; without it never").argParser(lifetime),
  )
  .action(async (given: { name: string; cluster?: string; scope: Token["scopes"]; expires?: number }) => {
    await withContext(async (ctx) => {
      const input = issueTokenSchema.safeParse({
        name: given.name,
        scopes: given.scope,
        cluster: given.cluster,
        expiresAt: given.expires === undefined ? undefined : Date.now() + given.expires,
      });
      if (!input.success)
        throw new Error(
          input.error.issues.map(({ path, message }) => `--${path.join(".")}: ${message}`).join("\n"),
        );
      const { secret, tokenId } = await issueToken({ ctx, input: input.data });
      // The secret alone on standard output, so that `> token-file` holds it and nothing else.
      process.stderr.write(`Token ${tokenId}, shown this once:\n`);
      process.stdout.write(`${secret}\n`);
    });
  });

program
  .command("list")
  .description("show all tokens, without their secrets")
  .action(async () => {
    await withContext(async (ctx) => {
      const { tokens } = await listTokens({ ctx });
      process.stdout.write(formatTokenTable(tokens, Date.now()));
    });
  });

program
  .command("revoke")
  .description("end a token")
  .argument("<id>", "the number that list shows")
  .action(async (id: string) => {
    if (!/^\d{1,9}$/.test(id)) throw new Error(`Expected the number of a token, not "${id}".`);
    await withContext(async (ctx) => {
      await revokeToken({ ctx, input: { tokenId: Number(id) } });
      process.stdout.write(`Token ${id} is revoked.\n`);
    });
  });

await runCommand(program);

import { Command, Option } from "commander";
import { role, type Role } from "#lib/contracts/role.ts";
import { config } from "#lib/server/config.ts";
import { makeInvitation } from "#lib/server/services/make-invitation.ts";
import { runCommand, withContext } from "./command-context.ts";
import { addressElsewhere } from "./listen-address.ts";

/**
 * `npm run invite [-- --role viewer]`, and `npm run admin-link`: prints a one-time address that makes an account. Who may run it
 * reaches the database, and so may do everything anyway.
 */
const program = new Command("npm run invite --")
  .description("a one-time address that makes an account; good for three days")
  .addOption(
    new Option("--role <role>", "what the new account may do").choices(role.options).default("administrator"),
  )
  .action(async (given: { role: Role }) => {
    await withContext(async (ctx) => {
      const { path } = await makeInvitation({ ctx, input: given });
      const { host, port } = config();
      process.stderr.write(
        `Opens once, makes an account as ${given.role}; behind another address put the path after that one:\n`,
      );
      process.stdout.write(`${addressElsewhere(host, port)}${path}\n`);
    });
  });

await runCommand(program);

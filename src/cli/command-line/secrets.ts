import type { Command } from "commander";
import { helpSecrets as words } from "../../words/en/help-secrets.ts";
import type { Add, Run } from "./program.ts";

export function addSecrets(program: Command, add: Add, run: Run): void {
  const load = () => import("../commands/secrets.ts");
  const list = run(() => async (at) => (await load()).printSecrets(at));
  const secrets = add(program, { usage: "secrets", says: words().secrets, bears: ["json"] }).action(list);
  add(secrets, { usage: "list", says: words().secretsList, bears: ["json"] }).action(list);
  add(secrets, { usage: "set [name...]", says: words().secretsSet, bears: [] })
    .option("--domain <host>", words().secretsSet.options.domain, (one: string, all: string[]) => [...all, one], [])
    .option("--stdin", words().secretsSet.options.stdin)
    .action(
      run((names, { domain, stdin }) => async (at) => {
        const { saveSecret } = await load();
        return saveSecret(at, names, { domains: domain as string[], fromStdin: stdin === true });
      }),
    );
  add(secrets, { usage: "rm <names...>", says: words().secretsRm, bears: [] }).action(
    run((names) => async (at) => (await load()).removeSecrets(at, names)),
  );
}

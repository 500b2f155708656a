import type { Command } from "commander";
import type { Add, Run } from "./program.ts";

export function addSecrets(program: Command, add: Add, run: Run): void {
  const load = () => import("../commands/secrets.ts");
  const list = run(() => async (at) => (await load()).printSecrets(at));
  const secrets = add(program, {
    usage: "secrets",
    text: "passwords, tokens and codes that calls may be given, which the model knows by name alone",
    bears: ["json"],
    examples: [
      ["agent secrets set GITHUB_TOKEN --domain '*.github.com'", "asks for its value, without showing it"],
      ["agent secrets list", "the names, and where each may go"],
      ["agent secrets rm GITHUB_TOKEN", "forgets it"],
    ],
  }).action(list);
  add(secrets, {
    usage: "list",
    text: "the names, where each may go and where it is kept",
    bears: ["json"],
    examples: [["agent secrets list --json", "an object a line"]],
  }).action(list);
  add(secrets, {
    usage: "set [name...]",
    text: "keep one, or another value of it: asked for at the terminal, or read from stdin",
    bears: [],
    examples: [
      ["agent secrets set NPM_TOKEN", "for any host, and for commands"],
      ["agent secrets set API_KEY --domain api.example.org --stdin < key.txt", "for one host, and no command"],
      [
        "agent secrets set github_totp --domain '*.github.com'",
        "the key of a second factor: its code of the moment is used",
      ],
    ],
  })
    .option(
      "--domain <host>",
      "bind it to this host: several times for several",
      (one: string, all: string[]) => [...all, one],
      [],
    )
    .option("--stdin", "read the value from stdin")
    .action(
      run((names, { domain, stdin }) => async (at) => {
        const { saveSecret } = await load();
        return saveSecret(at, names, { domains: domain as string[], fromStdin: stdin === true });
      }),
    );
  add(secrets, {
    usage: "rm <names...>",
    text: "forget some",
    bears: [],
    examples: [["agent secrets rm GITHUB_TOKEN", "from the keyring or the file"]],
  }).action(run((names) => async (at) => (await load()).removeSecrets(at, names)));
}

import type { CommandHelp } from "../help.ts";
import { room } from "../room.ts";

/** The texts of `--help` on the commands of command-line/secrets.ts. */
export const helpSecrets = room("helpSecrets", {
  secrets: {
    text: "passwords, tokens and codes that calls may be given, which the model knows by name alone",
    examples: [
      ["agent secrets set GITHUB_TOKEN --domain '*.github.com'", "asks for its value, without showing it"],
      ["agent secrets list", "the names, and where each may go"],
      ["agent secrets rm GITHUB_TOKEN", "forgets it"],
    ],
  },
  secretsList: {
    text: "the names, where each may go and where it is kept",
    examples: [["agent secrets list --json", "an object a line"]],
  },
  secretsSet: {
    text: "keep one, or another value of it: asked for at the terminal, or read from stdin",
    examples: [
      ["agent secrets set NPM_TOKEN", "for any host, and for commands"],
      ["agent secrets set API_KEY --domain api.example.org --stdin < key.txt", "for one host, and no command"],
      [
        "agent secrets set github_totp --domain '*.github.com'",
        "the key of a second factor: its code of the moment is used",
      ],
    ],
    options: { stdin: "read the value from stdin", domain: "bind it to this host: several times for several" },
  },
  secretsRm: {
    text: "forget some",
    examples: [["agent secrets rm GITHUB_TOKEN", "from the keyring or the file"]],
  },
} satisfies Record<string, CommandHelp>);

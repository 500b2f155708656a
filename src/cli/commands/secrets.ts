import { jsonLine } from "../../core/json-line.ts";
import { wrongDomain } from "../../core/secrets/secret-domains.ts";
import { isTotpName, wrongSecretName } from "../../core/secrets/secret-names.ts";
import { wrongSecretValue } from "../../core/secrets/secret-values.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { secretCommands } from "../../words/en/secret-commands.ts";
import { askHidden } from "../ask-hidden.ts";
import type { Composition } from "../composition.ts";
import type { Io } from "../io.ts";
import { pageOf } from "../print/page.ts";
import { printRows, span } from "../print/rows.ts";
import { tableRows } from "../print/table.ts";
import { CliProblem } from "../problem.ts";
import { listSecrets, removeSecret, setSecret } from "../secrets/secret-store.ts";
import { cleanText } from "../terminal/sanitise.ts";

/** `agent secrets list`: names, and where each may go. */
export async function printSecrets({ io, flags, places }: Composition): Promise<number> {
  const secrets = await listSecrets({ places });
  if (flags.json === true) for (const secret of secrets) io.stdout.write(jsonLine({ ...secret }));
  else if (secrets.length === 0) io.stdout.write(`${secretCommands().none}\n`);
  else {
    const rows = secrets.map(({ name, domains, kept, totp }) => [
      span(name),
      span(domains.length === 0 ? "anywhere" : domains.join(", ")),
      span([kept, ...(totp ? [secretCommands().code] : [])].join(", "), { dim: true }),
    ]);
    await printRows(io, tableRows(rows, pageOf(io).width, "wrap"));
  }
  return 0;
}

export interface SetOptions {
  domains: readonly string[];
  fromStdin: boolean;
}

/** `agent secrets set NAME`. @throws CliProblem usage for a name, a domain or a value that cannot be one; none of them quotes a value */
export async function saveSecret(
  composition: Composition,
  names: readonly string[],
  options: SetOptions,
): Promise<number> {
  const { io } = composition;
  const [name, ...more] = names;
  // What stands there may be the value: it is not told again.
  if (name === undefined || more.length > 0)
    throw new CliProblem("usage", secretCommands().oneName, { hint: secretCommands().oneNameHint });
  const wrongName = wrongSecretName(name);
  if (wrongName !== undefined) throw new CliProblem("usage", secretCommands().noName({ why: wrongName }));
  const wrongHost = options.domains.map(wrongDomain).find((wrong) => wrong !== undefined);
  if (wrongHost !== undefined) throw new CliProblem("usage", `--domain: ${wrongHost}`);
  const value = options.fromStdin ? await readAll(io) : await typedValue(io, name);
  if (value === undefined) return 1;
  const wrong = wrongSecretValue(name, value);
  if (wrong !== undefined) throw new CliProblem("usage", secretCommands().notKept({ name, why: wrong }));
  const where = await setSecret(composition, name, isTotpName(name) ? value.trim() : value, options.domains);
  io.stdout.write(cleanText(`${secretCommands().kept({ name, where, hosts: options.domains })}\n`));
  return 0;
}

function typedValue(io: Io, name: string): Promise<string | undefined> {
  if (io.stdin.isTTY !== true)
    throw new CliProblem("usage", secretCommands().noTerminal, { hint: secretCommands().noTerminalHint });
  return askHidden(io, secretCommands().ask({ name }));
}

const mostBytes = 64_000;

/** Without the line ending that is last. */
async function readAll({ stdin }: Io): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stdin) {
    parts.push(Buffer.from(part as Uint8Array));
    size += parts.at(-1)?.length ?? 0;
    if (size > mostBytes) throw new CliProblem("usage", secretCommands().tooLong);
  }
  return Buffer.concat(parts)
    .toString("utf8")
    .replace(/\r?\n$/, "");
}

/** `agent secrets rm NAME...`. @throws CliProblem usage for a name that is none; those before it are gone then */
export async function removeSecrets(composition: Composition, names: readonly string[]): Promise<number> {
  const known = new Set((await listSecrets(composition)).map(({ name }) => name));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new CliProblem("usage", secretCommands().noSecret({ name: unknown }), { hint: secretCommands().listHint });
  for (const name of new Set(names)) {
    const end = await removeSecret(composition, name);
    if (end === "left") throw new CliProblem("failed", secretCommands().stays({ name }));
    composition.io.stdout.write(`${cellWords().removed({ what: name })}\n`);
  }
  return 0;
}

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { jsonLine } from "../../core/json-line.ts";
import { attest as words } from "../../words/en/attest.ts";
import { CliProblem } from "../problem.ts";
import { type ProgramEnd, type ProgramSpec, runProgram } from "./run-program.ts";
import { type Statement, statement } from "./statement.ts";

const payloadType = "application/vnd.in-toto+json";
/** The purpose of a signature: one that was made for anything else does not count here. */
const namespace = "holdfast-attest";

/** DSSE, as in-toto statements are signed: the signature is ssh-keygen's, over the type and the payload's bytes. */
const envelope = z.strictObject({
  payloadType: z.literal(payloadType),
  payload: z.base64(),
  signatures: z.tuple([z.strictObject({ sig: z.base64() })]),
});

/** The bytes that are signed. */
function signedBytes(payload: Buffer): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

/** @param key a private key's file, or a public one's whose private key an agent holds. @throws CliProblem where it cannot sign */
export async function sealed(said: Statement, key: string, where: ProgramSpec): Promise<string> {
  const payload = Buffer.from(JSON.stringify(said));
  return inScratch(async (folder) => {
    const args = ["-Y", "sign", "-f", key, "-n", namespace];
    const { code, stdout, stderr } = await runProgram("ssh-keygen", args, {
      ...where,
      cwd: folder,
      input: signedBytes(payload),
    });
    if (code !== 0 || stdout.length === 0)
      throw new CliProblem("failed", words().notSealed({ key, why: firstLine(stderr) }), {
        hint: words().agentHint,
      });
    const signatures = [{ sig: stdout.toString("base64") }];
    return jsonLine({ payloadType, payload: payload.toString("base64"), signatures });
  });
}

/**
 * Opens a sealed statement: returns the statement and the one of the allowed signers that signed it.
 * @throws CliProblem where it is none, or nobody of them did
 */
export async function opened(
  text: string,
  signers: string,
  where: ProgramSpec,
): Promise<{ said: Statement; by: string }> {
  const { payload, sig } = read(text);
  return inScratch(async (folder) => {
    const file = join(folder, "sig");
    await writeFile(file, sig);
    const keygen = (args: string[], input: Buffer): Promise<ProgramEnd> =>
      runProgram("ssh-keygen", args, { ...where, cwd: folder, input });
    const found = await keygen(["-Y", "find-principals", "-s", file, "-f", signers], Buffer.alloc(0));
    const [by = ""] = String(found.stdout).split("\n");
    if (found.code !== 0 || by === "") throw refusal(words().nobodySigned({ signers }));
    const verify = ["-Y", "verify", "-f", signers, "-I", by, "-n", namespace, "-s", file];
    const { code, stderr, stdout } = await keygen(verify, signedBytes(payload));
    if (code !== 0) throw refusal(words().badSignature({ why: firstLine(stderr) || firstLine(String(stdout)) }));
    const said = statement.safeParse(parsed(payload.toString("utf8")));
    if (!said.success) throw refusal(words().noStatement);
    return { said: said.data, by };
  });
}

function read(text: string): { payload: Buffer; sig: Buffer } {
  const found = envelope.safeParse(parsed(text));
  if (!found.success) throw refusal(words().unsealed);
  const { payload, signatures } = found.data;
  return { payload: Buffer.from(payload, "base64"), sig: Buffer.from(signatures[0].sig, "base64") };
}

export const refusal = (why: string): CliProblem => new CliProblem("failed", words().notVerified({ why }));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const firstLine = (text: string): string => text.trim().split("\n")[0] ?? "";

async function inScratch<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-attest-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

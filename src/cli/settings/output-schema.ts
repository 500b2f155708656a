import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { ToolRefusal } from "../../core/codes.ts";
import { errnoOf } from "../../core/errno.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { schemaProblem } from "../../core/json-schema/keywords.ts";
import { limits } from "../../core/limits.ts";
import { readStrictJson } from "../../core/strict-json.ts";
import { openRegular, readBounded } from "../../files/bytes/read-regular.ts";
import { outputSchema as words } from "../../words/en/output-schema.ts";
import { CliProblem } from "../problem.ts";

/**
 * The JSON Schema that `--output-schema` names; a relative path begins at `cwd`.
 * @throws CliProblem usage, naming the file, for one that cannot be read, is no JSON, or is no schema that can be checked by.
 */
export async function readOutputSchema(named: string, cwd: string): Promise<JsonObject> {
  const path = resolve(cwd, named);
  const refuse = (what: string, cause?: unknown): never => {
    throw new CliProblem("usage", `--output-schema: ${path}${what}`, {
      hint: words().hint,
      cause,
    });
  };
  const text = await textOf(path).catch((error: unknown) => refuse(`: ${whyNot(error)}`, error));
  if (text.trim() === "") return refuse(" is empty");
  const read = readStrictJson(text);
  if (!read.ok) return refuse(` is ${read.message}`);
  const problem = schemaProblem(read.value);
  return problem === undefined && isJsonObject(read.value) ? read.value : refuse(`: ${problem}`);
}

async function textOf(path: string): Promise<string> {
  const { handle, stats } = await openRegular(await realpath(path), "it");
  try {
    const bytes = await readBounded(handle, stats.size, limits.outputSchema.most, "it");
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } finally {
    await handle.close();
  }
}

function whyNot(error: unknown): string {
  if (error instanceof ToolRefusal) return error.message;
  if (errnoOf(error) === "ENOENT") return words().missing;
  return error instanceof TypeError ? words().noText : error instanceof Error ? error.message : String(error);
}

import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { errnoOf } from "../../core/errno.ts";
import { jsonLine } from "../../core/json-line.ts";
import { checkToolName } from "../../core/tool-name.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { lists } from "../../words/en/lists.ts";
import type { Composition } from "../composition.ts";
import { CliProblem } from "../problem.ts";
import { projectToolFolder } from "../settings/tool-files.ts";
import { cleanText } from "../terminal/sanitise.ts";
import { testText, toolText } from "./tool-template.ts";

/**
 * `agent tools new NAME`: a commented tool for the project and its test, to begin with. Nothing that is there is written over.
 * @throws CliProblem where the name is none, or a file of it is there
 */
export async function newTool({ io, flags, workspace, tools }: Composition, name: string): Promise<number> {
  checkName(name);
  const { tools: known, close } = await tools(workspace);
  await close();
  if (known.some((tool) => tool.name === name))
    throw new CliProblem("usage", lists().isTool({ name }), { hint: lists().isToolHint({ name }) });
  const folder = join(workspace, projectToolFolder);
  makeFolder(folder);
  const files = [
    [join(folder, `${name}.mjs`), toolText(name)],
    [join(folder, `${name}.test.mjs`), testText(name)],
  ] as const;
  for (const [file, text] of files) write(file, text);
  const [tool = "", test = ""] = files.map(([file]) => relative(workspace, file));
  if (flags.json === true) io.stdout.write(jsonLine({ tool: name, files: [tool, test] }));
  else io.stdout.write(cleanText(`${lists().wroteTool({ tool, test })}\n`));
  return 0;
}

function checkName(name: string): void {
  try {
    checkToolName(name);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new CliProblem("usage", message, { hint: lists().toolName, cause });
  }
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: "wx" });
  } catch (cause) {
    if (errnoOf(cause) !== "EEXIST") throw cause;
    throw new CliProblem("usage", lists().isFile({ file }), { hint: lists().isFileHint, cause });
  }
}

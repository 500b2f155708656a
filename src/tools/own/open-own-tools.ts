import { dirname } from "node:path";
import { ToolRefusal } from "../../core/codes.ts";
import { limits } from "../../core/limits.ts";
import type { Tool } from "../../core/tool.ts";
import { createToolContext } from "../run-tool.ts";
import { checkToolName } from "../tool-set.ts";
import { fileTool, type LoadedFile } from "./file-tool.ts";
import { loadedSchema, shapeSchema, toldContext } from "./messages.ts";
import { ToolProcess, ToolProcessEnded, type ToolProcessSpec } from "./tool-process.ts";

/** Who put a tool there: the person's settings, or the project. */
export type ToolOrigin = "user" | "project";

/** A file of tools that may run. */
export interface ToolFile {
  /** Absolute: its name in the process, and among the bytes. */
  path: string;
  /** As a person knows it. */
  shown: string;
  origin: ToolOrigin;
}

export interface OwnTool {
  tool: Tool;
  file: ToolFile;
}

/** A file, or a tool of one, that the session does without. */
export interface LeftOut {
  name: string;
  origin: ToolOrigin;
  why: string;
}

export interface OwnTools {
  tools: OwnTool[];
  leftOut: LeftOut[];
  /** Disposes them, and ends their process. */
  close(): Promise<void>;
}

/** Loads the tools of these files, each in its turn, in one process that serves until `close`. What cannot be loaded is left out. */
export async function openOwnTools(files: readonly ToolFile[], spec: ToolProcessSpec): Promise<OwnTools> {
  const process = new ToolProcess(spec);
  const tools: OwnTool[] = [];
  const leftOut: LeftOut[] = [];
  for (const file of files) {
    const leave = (why: string): void => void leftOut.push({ name: file.shown, origin: file.origin, why });
    try {
      tools.push(...(await loadFile(process, file, spec.workspace, leave)));
    } catch (error) {
      leave(wordsOf(error));
    }
  }
  return { tools, leftOut, close: () => process.close() };
}

async function loadFile(
  process: ToolProcess,
  file: ToolFile,
  workspace: string,
  leave: (why: string) => void,
): Promise<OwnTool[]> {
  const ctx = toldContext(createToolContext({ workspace }));
  const ask = async () =>
    loadedSchema.parse(
      await process.ask(
        { do: "load", file: file.path, folder: dirname(file.path), ctx },
        { deadlineMs: limits.toolFileTime.most },
      ),
    );
  const { tools, files } = await ask();
  let loadedIn = process.generation;
  const loaded: LoadedFile = {
    path: file.path,
    files,
    async load() {
      if (loadedIn !== undefined && loadedIn === process.generation) return;
      try {
        await ask();
      } catch (error) {
        throw new ToolRefusal("FAILED", `${file.shown} could not be loaded again: ${wordsOf(error)}`);
      }
      loadedIn = process.generation;
    },
  };
  return tools.flatMap((told, index) => {
    const shape = shapeSchema.safeParse(told);
    const wrong = shape.success ? wrongName(shape.data.name) : shape.error.issues[0]?.message;
    if (shape.success && wrong === undefined) return [{ tool: fileTool(process, loaded, index, shape.data), file }];
    leave(wrong ?? "it is no tool");
    return [];
  });
}

function wrongName(name: string): string | undefined {
  try {
    checkToolName(name);
    return undefined;
  } catch (error) {
    return wordsOf(error);
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof ToolProcessEnded) return `the process ended while it was loaded: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

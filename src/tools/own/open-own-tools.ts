import { dirname } from "node:path";
import { ToolRefusal } from "../../core/codes.ts";
import { limits } from "../../core/limits.ts";
import type { Tool } from "../../core/tool.ts";
import { checkToolName } from "../../core/tool-name.ts";
import type { ToolSettings } from "../../core/tool-settings.ts";
import { createToolContext } from "../use/run-tool.ts";
import { withSettings } from "../use/with-settings.ts";
import { fileTool, type LoadedFile } from "./file-tool.ts";
import { loadedSchema, problemSchema, shapeSchema, toldContext } from "./messages.ts";
import { ToolProcess, ToolProcessEnded, type ToolProcessSpec } from "./tool-process.ts";

/** The origin of a tool: the person's settings, or the project. */
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

/** Returns the reason why these tools are not to run now, in words; asked before each use. */
export type WhyNot = () => Promise<string | undefined>;

/**
 * Loads the tools of these files in one process that serves until `close`. What cannot be loaded is left out: they are loaded all at
 * once, and those that were not when that ended the process each by itself.
 */
export async function openOwnTools(
  files: readonly ToolFile[],
  spec: ToolProcessSpec,
  refuses?: WhyNot,
): Promise<OwnTools> {
  const process = new ToolProcess(spec);
  const leftOut: LeftOut[] = [];
  const load = (file: ToolFile) => loadFile(process, file, spec, refuses);
  const together = await Promise.all(files.map((file) => load(file).catch((error: unknown) => error)));
  const tools: OwnTool[] = [];
  for (const [index, file] of files.entries()) {
    const leave = (why: string, tool?: string): void =>
      void leftOut.push({ name: tool === undefined ? file.shown : nameIn(tool, file), origin: file.origin, why });
    try {
      const first = together[index];
      const loaded = first instanceof ToolProcessEnded ? await load(file) : first;
      if (!isLoaded(loaded)) throw loaded;
      tools.push(...toolsOf(process, file, loaded, leave).map((one) => configured(one, spec.settings)));
    } catch (error) {
      leave(wordsOf(error));
    }
  }
  return { tools, leftOut, close: () => process.close() };
}

function configured({ tool, file }: OwnTool, settings: ToolSettings): OwnTool {
  const own = Object.hasOwn(settings, tool.name) ? settings[tool.name] : undefined;
  return { tool: own === undefined ? tool : withSettings(tool, own), file };
}

/** A tool of a file as a person reads of it where it is left out. */
export const nameIn = (tool: string, { shown }: ToolFile): string => `${tool} of ${shown}`;

interface Loaded {
  told: readonly unknown[];
  file: LoadedFile;
}

const isLoaded = (value: unknown): value is Loaded => typeof value === "object" && value !== null && "told" in value;

async function loadFile(
  process: ToolProcess,
  file: ToolFile,
  { workspace, uid, settings }: ToolProcessSpec,
  refuses?: WhyNot,
): Promise<Loaded> {
  const ctx = toldContext(createToolContext({ workspace, ...(uid === undefined ? {} : { uid }) }));
  const ask = async () =>
    loadedSchema.parse(
      await process.ask(
        { do: "load", file: file.path, folder: dirname(file.path), ctx, settings },
        { deadlineMs: limits.toolFileTime.most },
      ),
    );
  const { tools, files } = await ask();
  let loadedIn = process.generation;
  const loaded: LoadedFile = {
    path: file.path,
    files,
    isLoaded: () => loadedIn !== undefined && loadedIn === process.generation,
    async load() {
      const why = await refuses?.();
      if (why !== undefined) throw new ToolRefusal("DENIED", `${file.shown} is not run: ${why}`);
      if (loaded.isLoaded()) return;
      try {
        await ask();
      } catch (error) {
        throw new ToolRefusal("FAILED", `${file.shown} could not be loaded again: ${wordsOf(error)}`);
      }
      loadedIn = process.generation;
    },
  };
  return { told: tools, file: loaded };
}

function toolsOf(
  process: ToolProcess,
  file: ToolFile,
  { told, file: loaded }: Loaded,
  leave: (why: string, tool?: string) => void,
): OwnTool[] {
  return told.flatMap((one, index) => {
    const left = problemSchema.safeParse(one);
    if (left.success) {
      leave(left.data.problem, left.data.name);
      return [];
    }
    const shape = shapeSchema.safeParse(one);
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

import { z } from "zod";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { toPlainJson } from "../../core/strict-json.ts";
import type { Effect, RiskLevel, ToolContext } from "../../core/tool.ts";
import type { ToolDisplay } from "../../core/tool-display.ts";
import type { ToolSettings } from "../../core/tool-settings.ts";
import { patternProblem } from "../use/url-patterns.ts";

/**
 * The messages between the session and the process of its tools: a JSON object a line, over a socket of its own. The process is believed
 * nothing that has not the form of a message.
 */

/** One tool of a file: the file's absolute path, and its place in what the file exports. */
export interface ToolPlace {
  file: string;
  index: number;
}

/** The part of a context that goes to the process; signal and progress are messages. */
export type ToldContext = Pick<
  ToolContext,
  "workspace" | "addDirs" | "cwd" | "sessionId" | "callId" | "stepId" | "uid" | "goal" | "goalId" | "pageUrl" | "config"
> & {
  /** The call may have sessions of its own work for it. */
  hasChildren?: true;
};

export const toldContext = (ctx: ToolContext): ToldContext => ({
  workspace: ctx.workspace,
  ...(ctx.addDirs === undefined ? {} : { addDirs: ctx.addDirs }),
  cwd: ctx.cwd,
  sessionId: ctx.sessionId,
  callId: ctx.callId,
  stepId: ctx.stepId,
  ...(ctx.uid === undefined ? {} : { uid: ctx.uid }),
  ...(ctx.goal === undefined ? {} : { goal: ctx.goal }),
  ...(ctx.goalId === undefined ? {} : { goalId: ctx.goalId }),
  ...(ctx.pageUrl === undefined ? {} : { pageUrl: ctx.pageUrl }),
  config: ctx.config,
  ...(ctx.runChild === undefined ? {} : { hasChildren: true }),
});

/** The bytes that may run, by absolute path; more of a folder is read from the disk only where `open` has it. */
export interface ToolBytes {
  files: Readonly<Record<string, string>>;
  /** Folders, real, whose files may be read as they are now; what lies in `closed` is not read from there. */
  open: readonly string[];
  /** The places where the model may write. */
  closed: readonly string[];
}

export type Ask =
  | { do: "open"; bytes: ToolBytes }
  /** `settings`: what the tools of the file find in their context, by their names, where they describe themselves by it. */
  | { do: "load"; file: string; folder: string; ctx: ToldContext; settings: ToolSettings }
  | { do: "describe"; tool: ToolPlace; ctx: ToldContext }
  | { do: "parse"; tool: ToolPlace; given: JsonObject; ctx: ToldContext }
  | { do: "part"; tool: ToolPlace; args: JsonObject; ctx: ToldContext }
  | { do: "plan"; tool: ToolPlace; args: JsonObject; ctx: ToldContext }
  | { do: "execute"; tool: ToolPlace; args: JsonObject; ctx: ToldContext }
  /** The call is over: the instance that was made for it goes. */
  | { do: "release"; tool: ToolPlace; callId: string }
  | { do: "stop"; of: number }
  /** The outcome of a child that the tool asked for, by its number in that ask. */
  | ({ do: "child"; of: number; child: number } & ({ ok: Json } | { error: string }))
  | { do: "end" };

/** `id` counts the asks of one process from 1. */
export type NumberedAsk = Ask & { id: number };

/**
 * The fields that a tool of a file may set for a child: all that one of a program may, but a model. Whose keys and money are used is no
 * matter of a project's.
 */
export const childSchema = z.strictObject({
  task: z.string().max(1_000_000),
  agent: z.string().max(200).optional(),
  tools: z.array(z.string().max(200)).max(1_000).optional(),
  kind: z.string().max(16).optional(),
  goal: z.string().max(200).optional(),
  instructions: z.string().max(1_000_000).optional(),
  continues: z.string().max(200).optional(),
  begins: z.literal(false).optional(),
  maxSteps: z.int().min(1).optional(),
  maxCost: z.number().positive().optional(),
  atOnce: z.int().min(1).optional(),
});

/**
 * The messages that come back: the answer, the error, the progress, a child that it asks for or wants ended, by a number of its own, or a
 * file that was read from the disk.
 */
export const saidSchema = z.union([
  z.strictObject({ id: z.int(), ok: z.json() }),
  z.strictObject({ id: z.int(), error: z.strictObject({ message: z.string(), code: z.string().optional() }) }),
  z.strictObject({
    id: z.int(),
    progress: z.strictObject({
      tip: z.string().max(1_000).optional(),
      text: z.string().max(20_000).optional(),
      figure: z.number().optional(),
    }),
  }),
  z.strictObject({
    id: z.int(),
    child: z.int(),
    spec: childSchema,
  }),
  z.strictObject({ id: z.int(), endChild: z.int() }),
  z.strictObject({ read: z.string(), text: z.string() }),
]);
export type Said = z.infer<typeof saidSchema>;

const effects = ["none", "once", "child"] as const satisfies readonly Effect[];
const risks = ["low", "medium", "high"] as const satisfies readonly RiskLevel[];
const texts = z.array(z.string().max(200)).max(200);
const display: z.ZodType<ToolDisplay> = z.object({
  name: z.string().max(200),
  params: z.record(z.string(), z.string().max(200)).optional(),
}) as z.ZodType<ToolDisplay>;

const wrongEffect = "its effect must be none, once or child: only the agent's own tools write files and stores";

/** A tool as its file describes it. What is made from the context is asked for again. */
export const shapeSchema = z.object({
  name: z.string(),
  description: z.string().max(50_000),
  parameters: z.record(z.string(), z.json()),
  /** Description or arguments are made from the context. */
  dynamic: z.boolean(),
  plans: z.boolean(),
  /** It looks at arguments that are still coming. */
  looks: z.boolean(),
  effect: z.enum(effects, { error: wrongEffect }).optional(),
  risk: z.enum(risks, { error: "its risk must be low, medium or high" }).optional(),
  category: z.string().max(200).optional(),
  access: z.enum(["names", "content", "none"]).optional(),
  outlasts: z.boolean().optional(),
  confirm: z.boolean().optional(),
  editable: texts.optional(),
  urlPatterns: texts
    .superRefine((patterns, ctx) => {
      const wrong = patternProblem(patterns);
      if (wrong !== undefined) ctx.addIssue({ code: "custom", message: wrong });
    })
    .optional(),
  timeoutMs: z.number().positive().max(2_147_483_647).optional(),
  maxObserve: z.union([z.int().min(1), z.literal(false)]).optional(),
  display: z.object({ en: display.optional(), zh: display.optional() }).optional(),
  endsTurn: z.boolean().optional(),
});
export type ToolShape = z.infer<typeof shapeSchema>;

/** A tool that cannot be used as it is, and why. */
export const problemSchema = z.strictObject({ name: z.string().max(200), problem: z.string().max(1_000) });

export const loadedSchema = z.strictObject({
  tools: z.array(z.json()).max(200),
  /** Paths of all that was loaded for the file, itself included. */
  files: z.array(z.string()).max(2_000),
});

export const describedSchema = z.strictObject({
  description: z.string().max(50_000),
  parameters: z.record(z.string(), z.json()),
});

export const parsedSchema = z.union([
  z.strictObject({ ok: z.literal(true), canonical: z.record(z.string(), z.json()) }),
  z.strictObject({ ok: z.literal(false), message: z.string(), code: z.string() }),
]);

/** Of a plan what a tool of a file may say: it changes no files as the agent's own tools do. */
export const planSchema = z.strictObject({
  summary: z.string().max(2_000),
  cwd: z.string().optional(),
  diff: z.string().max(1_000_000).optional(),
  command: z.string().max(100_000).optional(),
  hosts: z
    .array(z.strictObject({ host: z.string().min(1).max(300), port: z.int().min(1).max(65_535).optional() }))
    .max(100)
    .optional(),
  reads: z
    .array(z.object({ asked: z.string().max(4_096) }))
    .max(200)
    .optional(),
  confirm: z.string().max(1_000).optional(),
  warnings: z.array(z.string().max(1_000)).max(20).optional(),
});

/** One line of the socket as an object. */
export function readLine(line: string): Json | undefined {
  try {
    const read = toPlainJson(JSON.parse(line));
    return read.ok && isJsonObject(read.value) ? read.value : undefined;
  } catch {
    return undefined;
  }
}

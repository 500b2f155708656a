import { join } from "node:path";
import { z } from "zod";
import { type JsonNode, lineAt, plainValue } from "../../core/json-text.ts";
import { readByHand, readPolicyFile } from "../../policy/files/policy-file.ts";
import { PolicyProblem } from "../../policy/problem.ts";
import type { PolicyFileProblem } from "../../policy/types.ts";

const lang = z.enum(["en", "zh"]);
const shared = {
  instructions: z.array(z.string().min(1)).optional(),
  ignore: z.array(z.string().min(1)).optional(),
  lang: lang.optional(),
  maxSteps: z.int().min(1).max(1000).optional(),
  maxObserve: z.int().min(1).optional(),
  agents: z.record(z.string(), z.unknown()).optional(),
  toolkits: z.record(z.string(), z.unknown()).optional(),
};

const userConfig = z.strictObject({
  ...shared,
  model: z.string().min(1).optional(),
  baseUrl: z.url().optional(),
  contextWindow: z.int().min(1000).optional(),
  retentionDays: z.int().min(0).max(100_000).optional(),
});
const projectConfig = z.strictObject(shared);

/** The user's own settings, the same in every folder. */
export interface Config {
  model?: string;
  baseUrl?: string;
  contextWindow?: number;
  /** How long file contents are worth keeping for undo; `agent sessions prune` drops older ones. */
  retentionDays: number;
}

/** What holds for work in one folder: the user's settings and the few that a project may make. */
export interface WorkspaceConfig {
  lang?: "en" | "zh";
  maxSteps: number;
  instructions: string[];
  /** Patterns in the manner of .gitignore: ls, glob and grep leave out what they name. */
  ignore: string[];
  /** Characters of an observation that the model gets; all of them where nobody says. */
  maxObserve?: number;
  /** Settings that are understood by later versions only, each with its file. */
  unused: string[];
}

const later = ["agents", "toolkits"] as const;

/** Steps a turn may take where nobody says otherwise. */
export const defaultMaxSteps = 50;

const defaultRetentionDays = 30;

/** @throws PolicyProblem naming file and line of each thing that is wrong. */
async function readSettings<T extends z.ZodType>(file: string, schema: T): Promise<z.infer<T> | undefined> {
  const text = await readPolicyFile(file);
  if (text === undefined) return undefined;
  const root = readByHand(text, file);
  const parsed = schema.safeParse(plainValue(root));
  if (parsed.success) return parsed.data;
  throw new PolicyProblem(parsed.error.issues.flatMap((issue) => problemsOf(issue, root, file)));
}

/** A key that nobody knows is named at its own line, all else where it stands. */
function problemsOf(issue: z.core.$ZodIssue, root: JsonNode, file: string): PolicyFileProblem[] {
  const at = (path: readonly PropertyKey[], message: string): PolicyFileProblem => {
    const name = path.length === 0 ? "" : `${JSON.stringify(path.map(String).join("."))}: `;
    return { file, line: lineAt(root, path), message: `${name}${message}` };
  };
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => at([...issue.path, key], "unknown key"));
  return [at(issue.path, issue.message)];
}

/** The user's config.json. */
export async function loadConfig(file: string): Promise<Config> {
  const user = (await readSettings(file, userConfig)) ?? {};
  return {
    ...(user.model === undefined ? {} : { model: user.model }),
    ...(user.baseUrl === undefined ? {} : { baseUrl: user.baseUrl }),
    ...(user.contextWindow === undefined ? {} : { contextWindow: user.contextWindow }),
    retentionDays: user.retentionDays ?? defaultRetentionDays,
  };
}

/**
 * What the user's config.json and the project's `.holdfast/config.json` say of work in this folder. A project may only lower
 * `maxSteps` and `maxObserve`; it names no model, endpoint, key or mode: such a key is an error.
 */
export async function loadWorkspaceConfig(file: string, workspace: string): Promise<WorkspaceConfig> {
  const user = (await readSettings(file, userConfig)) ?? {};
  const projectFile = join(workspace, ".holdfast", "config.json");
  const project = (await readSettings(projectFile, projectConfig)) ?? {};
  const own = user.maxSteps ?? defaultMaxSteps;
  const lang = project.lang ?? user.lang;
  const limits = [user.maxObserve, project.maxObserve].filter((limit) => limit !== undefined);
  const unusedOf = (settings: typeof project, from: string) =>
    later.filter((key) => settings[key] !== undefined).map((key) => `${key} in ${from}`);
  return {
    ...(lang === undefined ? {} : { lang }),
    maxSteps: Math.min(own, project.maxSteps ?? own),
    instructions: [...(user.instructions ?? []), ...(project.instructions ?? [])],
    ignore: [...(user.ignore ?? []), ...(project.ignore ?? [])],
    ...(limits.length === 0 ? {} : { maxObserve: Math.min(...limits) }),
    unused: [...unusedOf(user, file), ...unusedOf(project, projectFile)],
  };
}

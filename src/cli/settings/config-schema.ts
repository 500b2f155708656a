import { isAbsolute } from "node:path";
import { z } from "zod";
import { wrongEnvName } from "../../core/env-names.ts";
import { limits } from "../../core/limits.ts";
import { sandboxChoices } from "../../core/sandbox-choice.ts";
import { readToolSettings, type ToolSettings } from "../../core/tool-settings.ts";
import { toolFormats } from "../../model/port.ts";
import { efforts, knownServers } from "../../model/servers.ts";
import { parseGlob } from "../../policy/glob.ts";
import type { SearchProvider } from "../../tools/web/search-services.ts";
import { config as words } from "../../words/en/config.ts";
import { themeChoices } from "../terminal/theme.ts";
import { agentFields, largestAgentFile, toolPattern } from "./agent-file.ts";
import { statusParts } from "./status-parts.ts";

/** The schemas of the settings' files. Loaded where there is such a file: they take longer to be made than most files to be read. */

const pathPattern = z.string().superRefine((pattern, ctx) => {
  const glob = parseGlob(pattern);
  if ("wrong" in glob) ctx.addIssue({ code: "custom", message: `${JSON.stringify(pattern)}: ${glob.wrong}` });
});
const lang = z.enum(["en", "zh"]);
/** By the same check as what a program hands over. */
const toolSettings = z.custom<ToolSettings>().superRefine((given, ctx) => {
  const read = readToolSettings(given);
  if ("wrong" in read) for (const { path, message } of read.wrong) ctx.addIssue({ code: "custom", path, message });
});
const shared = {
  instructions: z.array(z.string().min(1)).optional(),
  ignore: z.array(z.string().min(1)).optional(),
  lang: lang.optional(),
  maxSteps: z.int().min(1).max(1000).optional(),
  maxObserve: z.union([z.int().min(1), z.literal(false)], { error: () => words().maxObserve }).optional(),
  checks: z
    .array(z.strictObject({ paths: z.array(pathPattern).min(1), command: z.string().min(1) }))
    .max(10)
    .optional(),
  toolSettings: toolSettings.optional(),
  agents: z
    .record(z.string(), z.strictObject({ ...agentFields, prompt: z.string().trim().min(1).max(largestAgentFile) }))
    .optional(),
  toolkits: z.record(z.string(), z.array(toolPattern()).min(1)).optional(),
};

const envName = z.string().superRefine((name, ctx) => {
  const wrong = wrongEnvName(name);
  if (wrong !== undefined) ctx.addIssue({ code: "custom", message: `${JSON.stringify(name)}: ${wrong}` });
});
const folder = z.string().refine((path) => isAbsolute(path) && !path.includes(":"), {
  error: () => words().folder,
});
const place = z.string().refine((path) => isAbsolute(path) || path.startsWith("~/"), {
  error: () => words().place,
});

const searchProvider = z.enum(["searxng", "brave", "tavily", "bocha"] satisfies SearchProvider[]);
const webAddress = z.url({ protocol: /^https?$/ }).refine((url) => !/^[a-z]+:\/\/[^/]*@/i.test(url), {
  error: () => words().address,
});

const serverName = z
  .string()
  .regex(/^[a-z0-9][\w.-]{0,63}$/i, {
    error: () => words().serverName,
  })
  .refine((name) => name !== "script" && name !== "demo", { error: () => words().noServers });
const modelPattern = z.string().regex(/^[\w.-]+:\S+$/, {
  error: () => words().model,
});
const variable = z.string().regex(/^[A-Za-z_]\w*$/, { error: () => words().variable });
const server = z.strictObject({
  baseUrl: webAddress.optional(),
  apiKeyEnv: variable.optional(),
  silenceMs: z.int().min(1000).max(limits.replyTime.most).optional(),
});
const servers = z.record(serverName, server).superRefine((named, ctx) => {
  for (const [name, { baseUrl }] of Object.entries(named))
    if (baseUrl === undefined && !Object.hasOwn(knownServers, name))
      ctx.addIssue({
        code: "custom",
        path: [name],
        message: words().noAddress,
      });
});
const money = z.number().min(0);
/** The fields of which a request is made; nothing that a person adds may take its place. */
const ownFields = ["model", "messages", "stream", "stream_options", "tools", "tool_choice"];
const modelEntry = z.strictObject({
  contextWindow: z.int().min(1000).optional(),
  maxOutput: z.int().min(1).optional(),
  vision: z.boolean().optional(),
  toolFormat: z.enum(toolFormats).optional(),
  price: z.strictObject({ input: money, output: money, cachedInput: money.optional() }).optional(),
  reasoning: z.enum(efforts).optional(),
  extra: z
    .record(z.string(), z.json())
    .refine((extra) => !ownFields.some((field) => Object.hasOwn(extra, field)), {
      error: () => words().ownFields({ names: ownFields }),
    })
    .optional(),
});

/** Finds the word that it begins with, behind variables that it sets: the program, as far as its text tells. */
const programIn = (command: string): string =>
  /^\s*(?:\w+=\S*\s+)*["']?(?<program>[^\s"';&|]*)/u.exec(command)?.groups?.["program"] ?? "";
const hookCommand = z
  .string()
  .trim()
  .min(1)
  .max(4_000)
  .refine((command) => !command.includes("CLAUDE_PROJECT_DIR"), {
    error: () => words().noProject,
  })
  .refine((command) => !/^(?!\/|~\/|\$HOME\/|\$\{HOME\}\/)[^/]*\//u.test(programIn(command)), {
    error: () => words().ownProgram,
  });
const hookMatcher = z.string().superRefine((pattern, ctx) => {
  try {
    new RegExp(`^(?:${pattern === "*" ? "" : pattern})$`, "u");
  } catch (error) {
    ctx.addIssue({ code: "custom", message: error instanceof Error ? error.message : String(error) });
  }
});
/** Hooks that one matcher has run. */
export const hookGroup = z.strictObject({
  matcher: hookMatcher.optional(),
  hooks: z
    .array(
      z.strictObject({
        type: z.literal("command"),
        command: hookCommand,
        timeout: z
          .number()
          .positive()
          .max(3_600, { error: () => words().timeout })
          .optional(),
      }),
    )
    .max(20),
});
const hookGroups = z.array(hookGroup).max(50).optional();

const toolOrders = ["given", "use"] as const;

/** Servers that bring tools, in the shape that all clients read: those that are started, and those that are spoken to over HTTP. */
const mcpServerName = z.string().regex(/^[A-Za-z0-9][\w.-]{0,63}$/, {
  error: () => words().mcpServerName,
});
const mcpServer = z
  .strictObject({
    type: z
      .enum(["stdio", "http", "streamable-http", "streamableHttp"], { error: () => words().mcpServerType })
      .optional(),
    command: z.string().trim().min(1).optional(),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
    url: z.string().trim().min(1).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    private: z.boolean().optional(),
    oauth: z
      .strictObject({
        clientId: z.string().optional(),
        scopes: z.array(z.string()).optional(),
        redirectPort: z.number().optional(),
      })
      .optional(),
    tools: z.array(z.string()).optional(),
    browser: z.boolean().optional(),
    secrets: z.record(z.string(), z.array(z.string())).optional(),
    urlPatterns: z.record(z.string(), z.array(z.string())).optional(),
    sampling: z.literal("ask", { error: () => words().sampling }).optional(),
  })
  .refine(({ command, url }) => (command === undefined) !== (url === undefined), {
    error: () => words().mcpServer,
  });

/** The user's config.json. */
export const userConfig = z.strictObject({
  ...shared,
  model: z.string().min(1).optional(),
  baseUrl: z.url().optional(),
  servers: servers.optional(),
  models: z.record(modelPattern, modelEntry).optional(),
  contextWindow: z.int().min(1000).optional(),
  maxCost: z.number().positive().optional(),
  compact: z.boolean().optional(),
  toolTimeoutMs: z
    .int()
    .min(1)
    .max(24 * 3_600_000)
    .optional(),
  endTools: z.boolean().optional(),
  retentionDays: z.int().min(0).max(100_000).optional(),
  shellEnv: z.array(envName).optional(),
  shellPath: z.array(folder).optional(),
  sandbox: z.enum(sandboxChoices).optional(),
  autoSandbox: z.boolean().optional(),
  sandboxWrite: z.array(place).optional(),
  sandboxRead: z.array(place).optional(),
  search: z
    .strictObject({ provider: searchProvider, url: webAddress.optional(), keyEnv: z.string().min(1).optional() })
    .optional(),
  addDirs: z.array(z.string().min(1)).optional(),
  notify: z.enum(["off", "bell", "osc"]).optional(),
  theme: z.enum(themeChoices).optional(),
  previews: z.enum(["auto", "off"]).optional(),
  sideColumn: z.enum(["auto", "off"]).optional(),
  statusLine: z.array(z.enum(statusParts)).optional(),
  titles: z.boolean().optional(),
  tools: z.array(z.string().min(1)).optional(),
  uid: z.string().min(1).max(200).optional(),
  maxChildren: z.int().min(1).max(limits.childTasks.most).optional(),
  promptStats: z.boolean().optional(),
  toolOrder: z.enum(toolOrders).optional(),
  mcpServers: z.record(mcpServerName, mcpServer).optional(),
  hooks: z.strictObject({ PreToolUse: hookGroups, PostToolUse: hookGroups, Stop: hookGroups }).optional(),
});
/** A project's `.holdfast/config.json`. Hooks that it names are never run, whatever they are: that is told. */
export const projectConfig = z.strictObject({ ...shared, hooks: z.unknown().optional() });

export type UserSettings = z.infer<typeof userConfig>;
export type ProjectSettings = z.infer<typeof projectConfig>;

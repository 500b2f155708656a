import { z } from "zod";
import { limits } from "../../core/limits.ts";
import { taggedNames } from "../../core/secrets/secret-tags.ts";
import type { Plan, ToolContext } from "../../core/tool.ts";

export const defaultTimeoutMs = 120_000;

export const plainArguments = z.strictObject({
  command: z.string().describe("Given to bash as it is. It has no terminal and nothing on stdin."),
  description: z.string().optional().describe("In a few words for the person, what it is for."),
  cwd: z
    .string()
    .min(1)
    .optional()
    .describe("Folder to run in. Default the workspace. No call changes it for the next."),
  timeout_ms: z.int().min(1).max(limits.commandTime.most).optional().describe(`Default ${defaultTimeoutMs}.`),
  network: z.boolean().optional().describe("It needs the network. Default false: it may get none."),
  workspace: z
    .boolean()
    .optional()
    .describe("Of a script that you wrote: it needs the workspace's other files, or changes some."),
  background: z
    .boolean()
    .optional()
    .describe("For servers and watchers: returns at once; shell_output reads it, shell_stop ends it."),
});

/** The arguments where the person has set some secrets. */
export const withSecrets = plainArguments.extend({
  secrets: z
    .array(z.string())
    .optional()
    .describe(
      'Names of the person\'s secrets that it gets, each as the variable of its name: ["TOKEN"] for $TOKEN. The person is asked about each use.',
    ),
});

export type Args = z.infer<typeof withSecrets>;

/** Bash would take a tag for redirections, from and into files of that name. */
export function tagComplaint(command: string): string | undefined {
  const [name] = taggedNames(command);
  if (name === undefined) return undefined;
  return `a command takes no <secret> tag: give {"secrets": ["${name}"]} beside it and write "$${name}" in its place`;
}

/** The secrets that a request names, each once. */
const secretNames = ({ secrets = [] }: Args): string[] => [...new Set(secrets)];

/** Tells whether its own words let it run where nothing else of the workspace is. */
export const mayBeApart = (request: Args): boolean =>
  secretNames(request).length === 0 && request.workspace !== true && request.background !== true;

export function plannedSecrets(request: Args): Pick<Plan, "secrets"> {
  const names = secretNames(request);
  return names.length === 0 ? {} : { secrets: names.map((name) => ({ name, as: "variable" })) };
}

/** Names of all variables that it is to run with. */
export const namesOf = (env: Readonly<Record<string, string>>, request: Args): string[] =>
  [...new Set([...Object.keys(env), ...secretNames(request)])].sort();

/** @throws ToolRefusal where one cannot be read. */
export const secretVariables = (request: Args, { secretOf }: Pick<ToolContext, "secretOf">): Record<string, string> =>
  Object.fromEntries(secretNames(request).flatMap((name) => (secretOf === undefined ? [] : [[name, secretOf(name)]])));

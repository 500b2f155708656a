import { z } from "zod";
import { frontOf } from "../../core/skill.ts";
import { wrongPattern } from "../../core/tool-names.ts";
import { agentFiles } from "../../words/en/agent-files.ts";
import { cells as cellWords } from "../../words/en/cells.ts";

/** The fields of one agent in the settings or a file; `toolkit` names a set of tools, or lists them. */
export const agentFields = {
  description: z.string().trim().min(1).max(300),
  toolkit: z.union([z.string().min(1), z.array(toolPattern()).min(1)]).optional(),
  model: z.string().min(1).max(200).optional(),
  maxSteps: z.int().min(1).max(1000).optional(),
  maxCost: z.number().positive().optional(),
};

export function toolPattern() {
  return z.string().superRefine((pattern, ctx) => {
    const wrong = wrongPattern(pattern);
    if (wrong !== undefined) ctx.addIssue({ code: "custom", message: `${JSON.stringify(pattern)}: ${wrong}` });
  });
}

const head = z.strictObject({ name: z.string().optional(), ...agentFields });

export type AgentFile = z.infer<typeof head> & { prompt: string };

/** Bytes; what an agent is told of itself is told with each of its requests. */
export const largestAgentFile = 64_000;

/**
 * A file of an agent: YAML between two lines of `---`, then what it is told.
 * @returns what is wrong with it, in words, where it is none.
 */
export async function readAgentFile(text: string): Promise<AgentFile | { wrong: string }> {
  const found = await readParts(text);
  if ("wrong" in found) return found;
  const read = head.safeParse(found.head);
  if (!read.success) {
    const [issue] = read.error.issues;
    const at = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.map(String).join(".")}: `;
    return {
      wrong: `${at}${issue?.code === "unrecognized_keys" ? cellWords().unknownKeys({ keys: issue.keys }) : issue?.message}`,
    };
  }
  return { ...read.data, prompt: found.prompt };
}

/**
 * The two parts of a file that begins with YAML between two lines of `---`.
 * @param mend makes of what is no YAML what may have been meant
 */
export async function readParts(
  text: string,
  mend?: (front: string) => string,
): Promise<{ head: unknown; prompt: string } | { wrong: string }> {
  if (Buffer.byteLength(text) > largestAgentFile) return { wrong: tooLarge() };
  const parts = frontOf(text);
  if (parts === undefined) return { wrong: agentFiles().noHead };
  const found = await readYaml(parts.front, mend);
  if ("wrong" in found) return found;
  const prompt = parts.body.trim();
  return prompt === "" ? { wrong: agentFiles().noPrompt } : { head: found.value, prompt };
}

/** @param mend makes of what is no YAML what may have been meant */
export async function readYaml(
  front: string,
  mend?: (front: string) => string,
): Promise<{ value: unknown } | { wrong: string }> {
  // Its one export that is there from the source and in the command alike.
  const {
    default: { parse },
  } = await import("yaml");
  const read = (yaml: string): unknown => parse(yaml, { maxAliasCount: 0, schema: "core", logLevel: "error" }) ?? {};
  try {
    return { value: read(front) };
  } catch (error) {
    const words = String((error as Error).message).split("\n")[0];
    try {
      if (mend === undefined) throw error;
      return { value: read(mend(front)) };
    } catch {
      return { wrong: agentFiles().noYaml({ why: words }) };
    }
  }
}

/** Other programs take a line `key: words: more words` for a text. */
export const withQuotes = (front: string): string =>
  front.replace(
    /^([\w-]+):[ \t]+(?![ \t"'[{|>&*!])(.*[:#].*)$/gmu,
    (_, key: string, value: string) => `${key}: ${JSON.stringify(value.trim())}`,
  );

export const tooLarge = (): string => agentFiles().tooLarge({ kilobytes: largestAgentFile / 1000 });

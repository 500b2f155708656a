import { z } from "zod";
import { isJsonObject, type Json, sha256 } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import { holdsUnseen } from "../../core/unseen.ts";
import { visibleText } from "../use/visible-text.ts";
import { listPages } from "./list-pages.ts";
import type { Ready } from "./server.ts";

/** A prompt of a server as a person was shown it, and what shows that it is another one. What it says is not known before it is asked for. */
export const promptDefinition = z.strictObject({
  /** As the server calls it. */
  name: z.string(),
  description: z.string(),
  arguments: z.array(z.strictObject({ name: z.string(), description: z.string(), isRequired: z.boolean() })),
  /** Of what the server says, letter for letter. */
  said: z.strictObject({ description: z.string(), arguments: z.string() }),
});
export type PromptDefinition = z.infer<typeof promptDefinition>;

/** Prompts that a server offers, and what of it cannot be used, each in words. */
export interface ServerPrompts {
  prompts: PromptDefinition[];
  leftOut: { name: string; why: string }[];
}

const listedPrompt = z.looseObject({
  name: z.string().min(1).max(256),
  title: z.string().optional(),
  description: z.string().optional(),
  arguments: z
    .array(
      z.looseObject({
        name: z.string().min(1).max(256),
        description: z.string().optional(),
        required: z.boolean().optional(),
      }),
    )
    .optional(),
});

/** The prompts of a server that runs; it is not asked where it says that it has none. */
export async function listPrompts(
  { connection, has }: Pick<Ready, "connection" | "has">,
  signal: AbortSignal,
): Promise<ServerPrompts> {
  if (!has.prompts) return { prompts: [], leftOut: [] };
  const { most } = limits.mcpPrompts;
  return readPrompts(await listPages(connection, "prompts/list", { key: "prompts", most, signal }));
}

/** One that cannot be used costs none of the others. */
export function readPrompts(listed: readonly Json[]): ServerPrompts {
  const found: ServerPrompts = { prompts: [], leftOut: [] };
  const names = new Set<string>();
  for (const [index, one] of listed.entries()) {
    const read = readPrompt(one);
    const name =
      isJsonObject(one) && typeof one["name"] === "string" ? one["name"].slice(0, 256) : `prompt ${index + 1}`;
    const leave = (why: string): void => void found.leftOut.push({ name, why });
    if (typeof read === "string") leave(read);
    else if (names.has(name)) leave("the server has two prompts of this name");
    else if (found.prompts.length >= limits.mcpPrompts.most)
      leave(`the server has more than ${limits.mcpPrompts.most} prompts`);
    else found.prompts.push(read);
    names.add(name);
  }
  return found;
}

function readPrompt(listed: Json): PromptDefinition | string {
  const read = listedPrompt.safeParse(listed);
  if (!read.success) return `its definition cannot be read (${read.error.issues[0]?.path.join(".") ?? ""})`;
  const { name, title = "", description = "", arguments: given = [] } = read.data;
  const said = given.map((one) => ({
    name: one.name,
    description: one.description ?? "",
    isRequired: one.required === true,
  }));
  if (Buffer.byteLength(JSON.stringify([name, title, description, said])) > limits.mcpPromptText.most)
    return `its definition has more than ${limits.mcpPromptText.most / 1000} kB`;
  if (said.some((one) => holdsUnseen(one.name) || /[\s=\p{Cc}]/u.test(one.name)))
    return "an argument of it has a name that cannot be typed";
  if (new Set(said.map((one) => one.name)).size < said.length) return "two of its arguments have one name";
  return {
    name,
    description: visibleText(description === "" ? title : description),
    arguments: said.map((one) => ({ ...one, description: visibleText(one.description) })),
    said: {
      description: sha256(JSON.stringify([title, description])),
      arguments: sha256(JSON.stringify(said)),
    },
  };
}

/** Says how a prompt differs from the one that was trusted, in words; undefined where it does not. */
export function promptChange(trusted: PromptDefinition, now: ServerPrompts): string | undefined {
  const found = now.prompts.find(({ name }) => name === trusted.name);
  if (found === undefined) return "the server does not have it any more";
  const parts = [
    ...(found.said.description === trusted.said.description ? [] : ["its description"]),
    ...(found.said.arguments === trusted.said.arguments ? [] : ["its arguments"]),
  ];
  return parts.length === 0 ? undefined : `the server changed ${parts.join(" and ")}`;
}

/** As it is written: `(name, [name])`, where one in brackets may be left out. */
export const argumentsText = ({ arguments: given }: Pick<PromptDefinition, "arguments">): string =>
  given.length === 0 ? "" : `(${given.map(({ name, isRequired }) => (isRequired ? name : `[${name}]`)).join(", ")})`;

import { makesArtifact } from "../../core/artifacts.ts";
import type { CallResult } from "../../core/call.ts";
import type { ChildSpec } from "../../core/child-session.ts";
import { ToolRefusal } from "../../core/codes.ts";
import type { JsonObject } from "../../core/json.ts";
import { type Outcome, RefusedAt } from "../../core/outcome.ts";
import type { Progress } from "../../core/progress.ts";
import type { KnownSecrets, SecretUse } from "../../core/secrets/known-secrets.ts";
import type { Masking } from "../../core/secrets/masking.ts";
import { fitsDomain } from "../../core/secrets/secret-domains.ts";
import {
  mapJson,
  mapTexts,
  secretTag,
  tagCounts,
  taggedNames,
  wholeTexts,
  withoutTags,
} from "../../core/secrets/secret-tags.ts";
import type { FileBytes, FilePlan, Plan, Tool, ToolContext } from "../../core/tool.ts";
import { wordsIn } from "../../files/bytes/text-form.ts";
import { hostOf, portOf } from "../../net/addresses.ts";
import { isBuiltIn } from "../../tools/built-in.ts";
import { runTool } from "../../tools/use/run-tool.ts";

/**
 * The plan with the secrets that the call is to be given: those that its tool planned, and those whose tags stand where the tool takes
 * secrets. It is judged and shown with them, and the values are put in when it runs.
 * @throws ToolRefusal INVALID_ARGUMENT for a name that there is not, or one that may not go there.
 */
export function withPlannedSecrets(
  tool: Tool,
  given: JsonObject,
  plan: Plan,
  ctx: Pick<ToolContext, "secrets" | "pageUrl">,
): Plan {
  const tagged = (tool.secrets ?? []).flatMap((as) => taggedNames(given[as]).map((name): SecretUse => ({ name, as })));
  const uses = [...(plan.secrets ?? []), ...tagged];
  if (uses.length === 0) return plan;
  for (const use of uses) checkUse(use, plan, ctx);
  const warnings = uses.map((use) => useWords(use, plan));
  return { ...plan, secrets: uses, warnings: [...(plan.warnings ?? []), ...warnings] };
}

function checkUse(
  { name, as }: SecretUse,
  plan: Plan,
  { secrets, pageUrl }: Pick<ToolContext, "secrets" | "pageUrl">,
): void {
  const refuse = (message: string) => new ToolRefusal("INVALID_ARGUMENT", message);
  const domains = secrets?.get(name);
  if (domains === undefined) {
    const there =
      secrets === undefined || secrets.size === 0 ? "none is set" : `there are ${[...secrets.keys()].join(", ")}`;
    throw refuse(`there is no secret ${name}: ${there}; the person sets one by agent secrets set ${name}`);
  }
  if (domains.length === 0) return;
  const bound = `the secret ${name} goes to ${domains.join(", ")} alone`;
  if (plan.command !== undefined && (as === "variable" || plan.hosts === undefined))
    throw refuse(`${bound}: no command gets it, which could take it anywhere`);
  const hosts = plan.hosts ?? hostsOf(pageUrl);
  const other = hosts.find((host) => !domains.some((domain) => fitsDomain(domain, host)));
  if (hosts.length === 0) throw refuse(`${bound}, and it is not known to which host this call speaks`);
  if (other !== undefined)
    throw refuse(`${bound}, and this call speaks to ${other.host}${other.port === undefined ? "" : `:${other.port}`}`);
}

/** Of a page of http, for which a call may be that speaks to no host itself. */
function hostsOf(pageUrl: string | undefined): NonNullable<Plan["hosts"]> {
  const page = pageUrl !== undefined && URL.canParse(pageUrl) ? new URL(pageUrl) : undefined;
  const isOfHost = page?.protocol === "https:" || page?.protocol === "http:";
  return page === undefined || !isOfHost ? [] : [{ host: hostOf(page), port: portOf(page) }];
}

const useWords = ({ name, as }: SecretUse, { hosts = [] }: Plan): string =>
  as === "variable"
    ? `it gets your secret ${name}, as $${name}, and can take it wherever it reaches`
    : `your secret ${name} goes${hosts.length === 0 ? " along" : ` to ${hosts.map(({ host }) => host).join(", ")}`} (in ${as})`;

/**
 * A file in which a value stands was shown with the value's tag: written back whole, the tag would stand there.
 * @param bytesOf what a file was and is to be, by its real path
 * @throws RefusedAt INVALID_ARGUMENT where the plan would put a tag into a file that has the value: it tells what is in the file
 */
export function checkWrittenBack(
  { files = [] }: Plan,
  bytesOf: (real: string) => FileBytes | undefined,
  { names, masking }: KnownSecrets,
): void {
  for (const { real, asked } of files) {
    const { before, after } = bytesOf(real) ?? { before: null, after: null };
    if (before === null || after === null) continue;
    // As a tool shows it to the model, which masks what it shows.
    const [was, tags] = [wordsIn(before), tagCounts(wordsIn(after))];
    const known = tagCounts(was);
    const more = [...tags].filter(([name, count]) => names.has(name) && (known.get(name) ?? 0) < count);
    const masked = more.length === 0 ? new Map<string, number>() : tagCounts(masking.text(was));
    const [lost] = more.find(([name]) => (known.get(name) ?? 0) < (masked.get(name) ?? 0)) ?? [];
    if (lost !== undefined) {
      const told = `${asked} holds the value of the secret ${lost}, which you see as ${secretTag(lost)}: the tag would take the value's place. Change what is around it with edit_file`;
      const paths = files.map((file) => ({ asked: file.asked, real: file.real, access: "write" as const }));
      throw new RefusedAt(new ToolRefusal("INVALID_ARGUMENT", told), paths);
    }
  }
}

interface RunParts {
  plan: Plan;
  /** As the model wrote the arguments. */
  given: JsonObject;
  known: KnownSecrets | undefined;
}

// Keeps graph 23.
/**
 * Runs a call with the values of its secrets in the place of their names, and takes all values that are known out of what comes of it:
 * what it tells while it runs, what is kept of it, and its end.
 */
export async function runWithSecrets(
  tool: Tool,
  args: unknown,
  ctx: ToolContext,
  { plan, given, known }: RunParts,
  options: { timeoutMs?: number | undefined; effect?: Tool["effect"] },
): Promise<Outcome> {
  if (known === undefined) return runTool(tool, args, ctx, options);
  const { masking } = known;
  const named = new Set((plan.secrets ?? []).map(({ name }) => name));
  const secretOf = (name: string): string => {
    if (!named.has(name)) throw new ToolRefusal("INVALID_ARGUMENT", `this call was not given the secret ${name}`);
    return known.valueOf(name);
  };
  const { progress, end } = maskedTelling(ctx.progress, masking);
  try {
    const filled = named.size === 0 ? args : withValues(tool, args, secretOf);
    const children = named.size === 0 ? {} : maskedChildren(ctx, masking);
    const reach = { ...maskedReach(ctx, masking), ...children, progress, masking, secretOf };
    const outcome = await runTool(tool, filled, { ...ctx, ...reach }, options);
    end();
    const masked = withOwnRecord(tool, outcome, maskedOutcome(outcome, masking));
    return withLiteralNote(masked, literalNotes(tool, given, known));
  } catch (error) {
    if (error instanceof ToolRefusal) return { kind: "failed", code: error.code, message: error.message };
    throw error;
  }
}

function withValues(tool: Tool, args: unknown, secretOf: (name: string) => string): unknown {
  if (typeof args !== "object" || args === null || tool.secrets === undefined) return args;
  const filled = tool.secrets.flatMap((as) => {
    const value = (args as Record<string, unknown>)[as];
    return taggedNames(value).length === 0 ? [] : [[as, withoutTags(value, secretOf)] as const];
  });
  return filled.length === 0 ? args : { ...args, ...Object.fromEntries(filled) };
}

function maskedReach({ outputs }: ToolContext, masking: Masking): Pick<ToolContext, "outputs"> {
  if (outputs === undefined) return {};
  const keep: typeof outputs.keep = (callId, bytes, ...more) => outputs.keep(callId, masking.bytes(bytes), ...more);
  return { outputs: { ...outputs, keep } };
}

/** Masks all that a call that was given secrets hands to sessions of its own: it is kept with these, and read by a model. */
function maskedChildren({ runChild }: ToolContext, masking: Masking): Pick<ToolContext, "runChild"> {
  if (runChild === undefined) return {};
  return { runChild: (spec, signal) => runChild(mapTexts({ ...spec }, masking.text) as ChildSpec, signal) };
}

const toldFields = ["tip", "text"] as const;

/**
 * Masks the values in all that a call tells while it runs, also one that it tells in several pieces; `end` tells the rest that was kept back of
 * the last.
 */
function maskedTelling(progress: ToolContext["progress"], masking: Masking) {
  const pieces = { tip: masking.pieces(), text: masking.pieces() };
  return {
    progress(told: Progress): void {
      const given = mapJson({ ...told }, masking.text);
      for (const field of toldFields) {
        const text = told?.[field];
        const shown = typeof text === "string" ? pieces[field].next(text) : undefined;
        if (shown !== undefined) given[field] = shown;
        else if (typeof text === "string") delete given[field];
      }
      if (Object.keys(given).length > 0) progress(given);
    },
    end(): void {
      const rest = toldFields.flatMap((field) => {
        const text = pieces[field].end();
        return text === undefined ? [] : [[field, text] as const];
      });
      if (rest.length > 0) progress(Object.fromEntries(rest));
    },
  };
}

/** The same end without the values of secrets in it. */
function maskedOutcome(outcome: Outcome, masking: Masking): Outcome {
  const message = "message" in outcome ? { message: masking.text(outcome.message) } : {};
  const result =
    "result" in outcome && outcome.result !== undefined ? { result: maskedResult(outcome.result, masking) } : {};
  return { ...outcome, ...message, ...result } as Outcome;
}

function maskedResult(result: CallResult, { text }: Masking): CallResult {
  const { output, title, display, longTermMemory, metadata, attachments } = result;
  return {
    ...result,
    output: text(output),
    ...(title === undefined ? {} : { title: text(title) }),
    ...(display === undefined ? {} : { display: text(display) }),
    ...(longTermMemory === undefined ? {} : { longTermMemory: text(longTermMemory) }),
    ...(metadata === undefined ? {} : { metadata: mapJson(metadata, text) }),
    ...(attachments === undefined ? {} : { attachments: attachments.map(text) }),
  };
}

/**
 * Keeps the record of a version of an artifact unmasked: it is made of the model's own words, kept as the call's arguments are, and masked it
 * would be another text than its hash names.
 */
function withOwnRecord(tool: Tool, told: Outcome, masked: Outcome): Outcome {
  if (told.kind !== "done" || masked.kind !== "done" || !makesArtifact({ toolName: tool.name }) || !isBuiltIn(tool))
    return masked;
  const { artifact } = told.result.metadata ?? {};
  if (artifact === undefined) return masked;
  return { ...masked, result: { ...masked.result, metadata: { ...masked.result.metadata, artifact } } };
}

/** Files that a command changed, as they are shown: what was in a file is the person's own and stays as it is. */
export const maskedFiles = (files: FilePlan[], secrets: KnownSecrets | undefined): FilePlan[] =>
  secrets === undefined ? files : files.map((file) => maskedFile(file, secrets.masking));

const maskedFile = (file: FilePlan, { text }: Masking): FilePlan => ({
  ...file,
  hunks: file.hunks.map((hunk) => ({
    ...hunk,
    ...(hunk.section === undefined ? {} : { section: text(hunk.section) }),
    lines: hunk.lines.map((line) => ({ ...line, text: text(line.text) })),
  })),
});

/**
 * Notes the texts that were taken as they are written and may have been meant as a secret that there is: tags in arguments that take none, and
 * in others bare names.
 */
function literalNotes(tool: Tool, given: JsonObject, { names }: KnownSecrets): string[] {
  return Object.entries(given).flatMap(([argument, value]) => {
    if (tool.secrets?.includes(argument) === true)
      return wholeTexts(value)
        .filter((text) => names.has(text))
        .map((name) => `${name} in ${argument} was taken as a word; a secret is put in for ${secretTag(name)}`);
    return taggedNames(value)
      .filter((name) => names.has(name))
      .map((name) => `${secretTag(name)} in ${argument} was taken as it is written: no secret is put in there`);
  });
}

function withLiteralNote(outcome: Outcome, notes: readonly string[]): Outcome {
  if (notes.length === 0) return outcome;
  const told = `(${notes.join("; ")})`;
  if (outcome.kind === "done") {
    const { output } = outcome.result;
    return { ...outcome, result: { ...outcome.result, output: output === "" ? told : `${output}\n${told}` } };
  }
  return outcome.kind === "failed" ? { ...outcome, message: `${outcome.message} ${told}` } : outcome;
}

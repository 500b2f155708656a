import { existsSync } from "node:fs";
import type { ToolCallInfo } from "../../core/call.ts";
import { type ErrorCode, ToolRefusal } from "../../core/codes.ts";
import type { PlannedCommand } from "../../core/command.ts";
import { digestOf } from "../../core/digest.ts";
import { FolderLost } from "../../core/folder-lost.ts";
import type { JsonObject } from "../../core/json.ts";
import { pointedAt } from "../../core/look-alikes.ts";
import { type Outcome, RefusedAt } from "../../core/outcome.ts";
import type { KnownSecrets } from "../../core/secrets/known-secrets.ts";
import type { StepId } from "../../core/step-id.ts";
import { type Effect, effectOf, type Overlay, type Plan, type Tool, type ToolContext } from "../../core/tool.ts";
import { decide } from "../../policy/decide.ts";
import { PolicyProblem } from "../../policy/problem.ts";
import type { CallFacts, Policy } from "../../policy/types.ts";
import { SessionBusy, StoreFailure } from "../../store/types.ts";
import { isBuiltIn } from "../../tools/built-in.ts";
import { parseArguments } from "../../tools/use/arguments.ts";
import { withoutSecrets } from "../../tools/use/conceal.ts";
import { looking } from "../../tools/use/look-time.ts";
import { checkWorkspace } from "../../tools/use/own-workspace.ts";
import { pageOf, whyNotAt } from "../../tools/use/url-patterns.ts";
import { settingsHash } from "../../tools/use/with-settings.ts";
import { type Runtime, toolContext } from "../runtime.ts";
import { callWords } from "../talk/call-words.ts";
import {
  bareFacts,
  closedTo,
  confirmOf,
  factsOf,
  lookedAt,
  mayBeTold,
  type Past,
  reachOf,
  readsOf,
  tellingPlan,
  tellingWords,
  tellsOf,
  withReached,
} from "./call-facts.ts";
import { goesOn } from "./child-calls.ts";
import { hooksAsk } from "./hooks-asked.ts";
import {
  layerOver,
  markOf,
  marksOf,
  type Parsed,
  type Preparation,
  type PreparedCall,
  parsedUse,
} from "./prepared-call.ts";
import { pastOf } from "./read-before.ts";
import { checkWrittenBack, runWithSecrets, withPlannedSecrets } from "./secret-use.ts";

interface Beside {
  /** The reason why a person is to be asked about it whatever else holds. */
  asks?: string | undefined;
  overlay?: Overlay | undefined;
  past?: Past;
  parsed?: Parsed | undefined;
  secrets?: KnownSecrets | undefined;
}

// Keeps graph 2.
/**
 * Parses, plans, judges; reads only. Later plans of the message see this one's contents in `overlay`.
 * @param raw the arguments as the model wrote them, or canonical ones.
 * @param beside `parsed`: the same where it was parsed before
 * @throws what stops the run: a store that fails, rules that are broken, a folder that is lost, a tool of another workspace (TypeError).
 */
export async function prepareCall(
  tool: Tool,
  raw: unknown,
  ctx: ToolContext,
  policy: Policy,
  beside: Beside = {},
): Promise<Preparation> {
  ctx.pins?.check();
  await checkWorkspace(tool, ctx.workspace);
  const notHere = whyNotAt(tool, ctx.pageUrl);
  if (notHere !== undefined) return { kind: "refused", code: "UNKNOWN_TOOL", message: notHere };
  const preparation = await preparedOrRefused(tool, raw, ctx, policy, beside);
  // What was read of another folder is no plan of this one, and no refusal either.
  ctx.pins?.check();
  const masking = beside.secrets?.masking;
  return masking !== undefined && preparation.kind === "refused"
    ? { ...preparation, message: masking.text(preparation.message) }
    : preparation;
}

async function preparedOrRefused(
  tool: Tool,
  raw: unknown,
  ctx: ToolContext,
  policy: Policy,
  beside: Beside,
): Promise<Preparation> {
  try {
    const parsed = beside.parsed ?? (await parseArguments(tool, raw, ctx));
    if (!("args" in parsed)) return { kind: "refused", code: parsed.code, message: parsed.message };
    const known = { ...ctx, mayTell: tellsOf(ctx, policy) };
    try {
      return await planned(tool, parsed, known, policy, beside);
    } catch (error) {
      if (error instanceof RefusedAt) return await refusedAt(tool, parsed, known, policy, error);
      throw error;
    }
  } catch (error) {
    return refusalOf(error);
  }
}

async function planned(
  tool: Tool,
  { args, canonical }: Parsed,
  ctx: ToolContext,
  policy: Policy,
  { overlay, past, secrets, asks }: Beside,
): Promise<Preparation> {
  const layer = layerOver(overlay);
  const planning = async () =>
    tool.plan?.(args, { ...ctx, overlay: layer, closed: closedTo(bareFacts(tool, ctx), policy) });
  const plans = () => (tool.hidden === undefined ? planning() : withoutSecrets(args, planning));
  // The agent's own end what takes too long themselves.
  const made = (await (isBuiltIn(tool) ? plans() : looking(tool, ctx, plans))) ?? barePlan(tool, canonical, ctx);
  if (secrets !== undefined && tool.audience !== "person") checkWrittenBack(made, layer.own, secrets);
  const given = withPlannedSecrets(tool, canonical, made, ctx);
  const bound = withPage(tool, withOwnSettings(tool, withEffect(tool, given, ctx)), ctx);
  const wanted = askedAbout(confirmed(tool, lookedOver(await withCoverage(bound, ctx)), ctx, policy), asks);
  const judged = (plan: Plan): Judged => {
    const found = saidToChangeNothing(factsOf(tool, plan, ctx, { overlay: layer, past }), plan, policy);
    const facts = found.commands.length === 0 ? found : withReached(found, () => closedTo(found, policy));
    return { plan, facts, verdict: decide(facts, policy) };
  };
  const { plan, facts, verdict } = apartWhereAllowed(judged(wanted), judged, ctx);
  if (verdict.decision === "deny") return { kind: "denied", verdict };
  layer.commit();
  const files = (plan.files ?? []).map(({ real }) => real);
  const marks = await marksOf(files);
  return {
    kind: "ready",
    tool,
    args,
    canonical,
    facts,
    verdict,
    mark: markOf(policy, facts),
    plan,
    digest: digestOf({ toolName: tool.name, arguments: canonical, plan }),
    isUntouched: async () => (await marksOf(files)) === marks,
    contents: layer.own,
    run: (signal, now = { policy }) => {
      const judged = now.facts ?? facts;
      const closed = plan.commands === undefined ? {} : { closed: closedTo(judged, now.policy) };
      const reach = { mayRead: readsOf(judged, now), mayReach: reachOf(judged, now), ...closed };
      const { timeoutMs, runChild } = now;
      const acting = plan.method === undefined ? {} : { effect: facts.effect };
      const children = runChild === undefined ? {} : { runChild };
      const known = { ...ctx, signal, plan, planned: layer.own, ...reach, ...children };
      const run = () =>
        runWithSecrets(tool, args, known, { plan, given: canonical, known: secrets }, { timeoutMs, ...acting });
      return inItsFolders(run, ctx, facts.effect);
    },
  };
}

/** Points at the lookalikes in a plan; one that only reads names nothing that a person must tell from what looks like it. */
const lookedOver = (plan: Plan): Plan =>
  plan.files === undefined && plan.hosts === undefined && plan.command === undefined ? plan : pointedAt(plan);

type Judged = Pick<PreparedCall, "plan" | "facts" | "verdict">;

/**
 * A line that a person would be asked about and that only runs what its session made is run apart from the workspace, where it is allowed
 * for that. Where a person was shown it as one that is not, it stays so: what they say yes to is what they saw.
 */
function apartWhereAllowed(found: Judged, judged: (plan: Plan) => Judged, ctx: ToolContext): Judged {
  if (found.verdict.decision !== "ask" || found.facts.made === undefined) return found;
  const shown = ctx.shown?.();
  if (shown !== undefined && shown.apart !== true) return found;
  const apart = judged({ ...found.plan, apart: true });
  return apart.verdict.decision === "allow" ? apart : found;
}

/**
 * Says of a write that it changes nothing, where it does. That a file holds just these bytes is told by it, so it is said only where they
 * may be read without asking. A tool that is not our own may do more than its plan's files say.
 */
function saidToChangeNothing(facts: CallFacts, { files = [] }: Plan, policy: Policy): CallFacts {
  if (facts.effect !== "file" || facts.own === true || files.length === 0) return facts;
  if (files.some(({ before, after }) => before !== after) || facts.commands.length + facts.hosts.length > 0)
    return facts;
  return mayBeTold(facts, policy) ? { ...facts, changesNothing: true } : facts;
}

/**
 * Says of a change that a person must be asked about it, where what comes of it tells of a file that is not read without asking: that an
 * edit fits, how many lines go. A new file tells nothing, and what the person commands tells the model nothing.
 */
function confirmed(tool: Tool, plan: Plan, ctx: ToolContext, policy: Policy): Plan {
  const changed = (plan.files ?? []).filter(({ before }) => before !== null);
  if (changed.length === 0 || plan.confirm !== undefined || tool.audience === "person") return plan;
  const paths = changed.map(({ asked, real }) => ({ asked, real, access: "write" as const }));
  const bare = bareFacts(tool, ctx);
  const facts = { ...bare, paths: lookedAt(paths, bare.project ?? bare.workspace, ctx.overlay) };
  return mayBeTold(facts, policy) ? plan : { ...plan, confirm: tellingWords(paths) };
}

/** Says that a person must be asked, where something beside the call wants it. */
const askedAbout = (plan: Plan, asks: string | undefined): Plan =>
  asks === undefined || plan.confirm !== undefined ? plan : { ...plan, confirm: asks };

/** Says of a command that only reads that it does: its own effect, and part of what is approved. */
function withEffect(tool: Tool, { effect: _, ...plan }: Plan, ctx: ToolContext): Plan {
  return effectOf(tool) !== "none" && factsOf(tool, plan, ctx).effect === "none" ? { ...plan, effect: "none" } : plan;
}

/** Says with which settings the tool is run: what was approved with others is another call. */
function withOwnSettings(tool: Tool, { settings: _, ...plan }: Plan): Plan {
  const settings = isBuiltIn(tool) ? undefined : settingsHash(tool);
  return settings === undefined ? plan : { ...plan, settings };
}

/** Says on which page a call is to work that is for pages or works on one, or that is given secrets for the page: on another one it is another call. */
function withPage(tool: Tool, { page: _, ...plan }: Plan, { pageUrl }: ToolContext): Plan {
  const isFilled = plan.secrets !== undefined && plan.hosts === undefined && plan.command === undefined;
  if (pageUrl === undefined || (tool.urlPatterns === undefined && tool.onPage !== true && !isFilled)) return plan;
  const page = pageOf(pageUrl);
  return { ...plan, page, warnings: [...(plan.warnings ?? []), `it works on the page ${page}`] };
}

/** Says of a command, unless it only reads, whether what it changes could be taken back. */
async function withCoverage(plan: Plan, ctx: ToolContext): Promise<Plan> {
  if (plan.command === undefined || plan.effect === "none") return plan;
  const coverage = await ctx.coverage?.(AbortSignal.timeout(lookMs)).catch(tooSlow);
  if (coverage?.covered === true) {
    const commands = plan.commands?.map((command) => ({ ...command, isKept: isKept(command, coverage.holds) }));
    return { ...plan, covered: true, ...(commands === undefined ? {} : { commands }) };
  }
  const warning = callWords.notCovered(coverage?.why);
  return { ...plan, covered: false, warnings: [...(plan.warnings ?? []), warning] };
}

/** The time, in milliseconds, of the look whether the workspace can be kept. A stop ends the turn, not the look. */
const lookMs = 5_000;
const tooSlow = (error: unknown) => ({
  covered: false as const,
  why: error instanceof Error ? error.message : String(error),
});

/** Tells whether all that its words say it would change is kept. */
const isKept = ({ paths, isPathsKnown }: PlannedCommand, holds: (real: string) => boolean): boolean =>
  isPathsKnown && paths.every(({ access, real }) => access !== "write" || holds(real));

/** The same for a call of a session, under the policy given. */
export async function prepareOf(
  runtime: Runtime,
  call: ToolCallInfo,
  stepId: StepId,
  policy: Policy,
  overlay?: Overlay,
): Promise<Preparation> {
  const tool = runtime.catalogue.get(call.toolName);
  if (tool === undefined)
    return { kind: "refused", code: "UNKNOWN_TOOL", message: `there is no tool ${call.toolName}` };
  await runtime.page?.look();
  const prepared = await prepareCall(
    tool,
    call.arguments,
    {
      ...toolContext(runtime, { callId: call.callId, stepId }),
      shown: () => runtime.journal.planOf(call.callId),
      ...(goesOn(runtime, call) ? { goesOn: true } : {}),
    },
    policy,
    {
      ...{ overlay, past: () => pastOf(runtime.journal), parsed: parsedUse(runtime, call, tool) },
      ...{ secrets: runtime.secrets, asks: hooksAsk(runtime, call.callId) },
    },
  );
  if (prepared.kind === "ready") runtime.prepared.set(call.callId, prepared);
  else runtime.prepared.delete(call.callId);
  if (prepared.kind === "ready" && isBuiltIn(tool)) runtime.parsed.set(call.callId, prepared);
  return prepared;
}

/** Short enough for one line of a dialog, for tools that plan nothing. */
function barePlan(tool: Tool, args: JsonObject, ctx: ToolContext): Plan {
  const text = JSON.stringify(args);
  return { summary: `${tool.name} ${text.length > 160 ? `${text.slice(0, 159)}…` : text}`, cwd: ctx.cwd };
}

/**
 * Runs it while each root is the folder that it was; what is read is told only where that is so afterwards too. Where it is not, nothing
 * was done, and nothing is told of another folder.
 */
async function inItsFolders(run: () => Promise<Outcome>, { pins }: ToolContext, effect: Effect): Promise<Outcome> {
  try {
    pins?.check();
    const outcome = await run();
    if (effect === "none") pins?.check();
    return outcome;
  } catch (error) {
    if (error instanceof FolderLost) return { kind: "drifted", message: error.message };
    throw error;
  }
}

const stopping = [StoreFailure, SessionBusy, PolicyProblem, FolderLost];
const stopsTheRun = (error: unknown): boolean => stopping.some((one) => error instanceof one);

/** A refusal or a defect of the tool becomes a message for the model; what stops the run is thrown again. */
function refusalOf(error: unknown): Preparation {
  if (error instanceof ToolRefusal) return { kind: "refused", code: error.code, message: error.message };
  if (stopsTheRun(error)) throw error;
  const message = `the tool failed: ${error instanceof Error ? error.message : String(error)}`;
  return { kind: "refused", code: "FAILED", message };
}

/**
 * Policy comes first: what it denies is denied whether or not it could be planned. Of a file that may not be read without asking
 * a refusal would answer a question about what is in it, by its code alone: so the person is asked, just as if it could be done, and only
 * after a yes the model hears why it cannot. Whether such a file is there at all is told where its name may be.
 */
async function refusedAt(
  tool: Tool,
  parsed: Parsed,
  ctx: ToolContext,
  policy: Policy,
  { code, message, paths }: RefusedAt,
): Promise<Preparation> {
  const bare = bareFacts(tool, ctx);
  const facts = { ...bare, paths: lookedAt(paths, bare.project ?? bare.workspace) };
  const verdict = decide(facts, policy);
  if (verdict.decision === "deny") return { kind: "denied", verdict };
  const isAbsent = paths.every(({ real }) => !existsSync(real) && ctx.mayTell?.(real) === true);
  if (isAbsent || mayBeTold(facts, policy)) return { kind: "refused", code, message, verdict };
  return askedFirst(tool, parsed, ctx, policy, facts, { code, message });
}

/** A call that cannot be done, as one that a person is asked about. It does nothing, whatever is answered. */
async function askedFirst(
  tool: Tool,
  { args, canonical }: Parsed,
  { cwd }: ToolContext,
  policy: Policy,
  given: CallFacts,
  fails: { code: ErrorCode; message: string },
): Promise<Preparation> {
  const plan = tellingPlan(tool.name, cwd, given.paths, fails.message);
  const facts: CallFacts = { ...given, ...confirmOf(plan.confirm) };
  const files = given.paths.map(({ real }) => real);
  const marks = await marksOf(files);
  return {
    kind: "ready",
    tool,
    args,
    canonical,
    facts,
    verdict: decide(facts, policy),
    mark: markOf(policy, facts),
    plan,
    digest: digestOf({ toolName: tool.name, arguments: canonical, plan }),
    fails,
    isUntouched: async () => (await marksOf(files)) === marks,
    contents: () => undefined,
    run: async () => ({ kind: "failed", ...fails }),
  };
}

import { ToolRefusal } from "../../core/codes.ts";
import { joinSignals } from "../../core/join-signals.ts";
import type { JsonObject, Sha } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import { observeLimit } from "../../core/observe-limit.ts";
import { unlessStopped, unstopped } from "../../core/outcome.ts";
import type { Plan, Tool, ToolContext, ToolResult } from "../../core/tool.ts";
import { keptError, keptResult } from "../use/kept-result.ts";
import { visibleText } from "../use/visible-text.ts";
import { samplingMethod } from "./asking/answer-server.ts";
import { AskedInCall } from "./asking/asked-in-call.ts";
import { ModelInCall } from "./asking/model-in-call.ts";
import { browserTraits, refuseFiles } from "./browser/browser-way.ts";
import { resultOfAnswer } from "./call-result.ts";
import { changeOf, type ToolDefinition } from "./definitions.ts";
import { NotSent, type Request, ServerEnded, ServerRefusal } from "./messages.ts";
import { NotGoneOn } from "./modern/wanted-input.ts";
import { namedFiles } from "./named-files.ts";
import { toolNameOf } from "./names.ts";
import type { McpServer } from "./server.ts";

/** A server, with all else that a session has of it. */
export interface TrustedServer {
  server: McpServer;
  /** Files of the workspace that start it, by the bytes that were trusted. */
  scripts: readonly { path: string; sha: Sha }[];
  /** By the name of a tool: arguments in which the person has secrets put in. */
  secrets?: Readonly<Record<string, readonly string[]>> | undefined;
  /** By the name of a tool: for which pages it is. */
  urlPatterns?: Readonly<Record<string, readonly string[]>> | undefined;
}

// Keeps tools 11.
/** A tool of a server, by the definition that the person trusted; what its server says of risks counts for nothing. */
export function mcpTool(
  { server, scripts, secrets = {}, urlPatterns = {} }: TrustedServer,
  trusted: ToolDefinition,
): Tool {
  // The model is told of it by these, and a person sees no more of it.
  const shown = visibleText(trusted.name);
  const asked = `${server.name}: ${shown}`;
  const { browser } = server;
  const open = trusted.unchecked === undefined ? {} : { parse: (given: JsonObject) => given };
  const tool: Tool<JsonObject> = {
    name: toolNameOf(server.name, trusted.name),
    description: trusted.description === "" ? `${shown} of the MCP server ${server.name}.` : trusted.description,
    args: { jsonSchema: trusted.inputSchema, ...open },
    effect: "once",
    category: `mcp ${server.name}`,
    searchable: true,
    ...(Object.hasOwn(secrets, trusted.name) ? { secrets: secrets[trusted.name] } : {}),
    ...(Object.hasOwn(urlPatterns, trusted.name) ? { urlPatterns: urlPatterns[trusted.name] } : {}),
    ...(browser === undefined ? {} : browserTraits(trusted.name)),
    needs: {
      isUp: () => server.isBegun,
      start: (ctx) =>
        server.ready(ctx.signal, ctx.askPerson !== undefined).then(
          () => undefined,
          () => undefined,
        ),
    },
    async plan(args, ctx): Promise<Plan> {
      refuseChanged(server, trusted, ctx);
      if (browser !== undefined) refuseFiles(args);
      const hosts =
        server.host === undefined ? await browser?.hostsOf(trusted.name, args, ctx.shown?.()?.hosts) : [server.host];
      const { places: reads, doubt } = await namedFiles(args, { folders: [ctx.workspace, ctx.cwd], own: server.cwd });
      return {
        summary: `call ${shown} of the MCP server ${server.name}${placeWords(server)}`,
        cwd: ctx.cwd,
        command: `${asked} ${argumentText(args)}`,
        network: true,
        sandbox: false,
        ...(hosts === undefined || hosts.length === 0 ? {} : { hosts }),
        ...(reads.length === 0 ? {} : { reads }),
        ...(doubt === undefined ? {} : { confirm: doubt }),
        ...(scripts.length === 0 ? {} : { operands: scripts.map(({ path, sha }) => ({ path, sha })) }),
      };
    },
    execute: async (args, ctx) => {
      const result = await called(server, trusted, args, ctx);
      const most = observeLimit(undefined, ctx.outputs?.maxObserve);
      return result.error === undefined
        ? keptResult(result, most, ctx)
        : {
            ...result,
            error: await keptError(ctx.masking?.text(result.error) ?? result.error, limits.mcpError.most, ctx),
          };
    },
  };
  return tool as Tool;
}

function refuseChanged(
  server: McpServer,
  trusted: ToolDefinition,
  { askPerson }: Pick<ToolContext, "askPerson">,
): void {
  const { known } = server;
  const why = known && changeOf(trusted, known.tools);
  if (why === undefined) return;
  const isThere = known?.tools.tools.some(({ name }) => name === trusted.name);
  // Some have what asks the person only where somebody is there.
  const maybe = isThere || askPerson !== undefined ? "" : ", or has it only in a chat";
  throw new ToolRefusal(
    "DENIED",
    `nothing was done: ${why} since it was trusted${maybe}, and the tool is off until the person trusts it again (agent mcp trust ${server.name})`,
  );
}

/** One call, in the session that there is or a new one. @throws ToolRefusal where nothing was done */
async function called(
  server: McpServer,
  trusted: ToolDefinition,
  args: JsonObject,
  ctx: ToolContext,
): Promise<ToolResult> {
  if (server.known === undefined)
    ctx.progress({
      tip: server.host === undefined ? `starting ${server.name}` : `asking ${server.name} for its tools`,
    });
  const { connection, has } = await unlessStopped(ctx.signal, server.ready(ctx.signal, ctx.askPerson !== undefined));
  refuseChanged(server, trusted, ctx);
  if (connection.note !== undefined) await ctx.noteChild?.(connection.note);
  ctx.pins?.check();
  unstopped(ctx.signal);
  if (ctx.plan !== undefined) await server.browser?.begins(trusted.name, args, ctx.plan);
  if (connection.why !== "")
    throw new ToolRefusal("FAILED", `nothing was done: the MCP server ${server.name} ended before: ${connection.why}`);
  const shown = visibleText(trusted.name);
  const place = server.host === undefined ? {} : { place: `${server.host.host}:${server.host.port}` };
  const of = { from: server.name, ...place, tool: shown };
  const [asked, ofModel] = [new AskedInCall(of, ctx), new ModelInCall(of, ctx)];
  const over = server.asksIn((one, signal) => (one.method === samplingMethod ? ofModel : asked).answer(one, signal));
  const request = connection.request(
    "tools/call",
    { name: trusted.name, arguments: args },
    { onProgress: teller(ctx) },
  );
  const ended = await settled(request, ctx, { of: server, shown }).finally(() => {
    over();
    asked.end();
    ofModel.end();
  });
  const from = has.resources ? server.name : undefined;
  const { signal, masking } = ctx;
  const result =
    "answer" in ended
      ? await resultOfAnswer(ended.answer, { asked: `${server.name}: ${shown}`, from, signal, masking })
      : ended;
  await arrived([...asked.onTheirWay, ...ofModel.onTheirWay], ctx.signal);
  return withWords(withAsked(result, asked, ofModel), server.browser?.refusedWords() ?? "");
}

/** Resolves once it is known of all these answers whether they reached the server, or when that has taken too long. */
async function arrived(answers: readonly Promise<void>[], signal: AbortSignal): Promise<void> {
  if (answers.length === 0 || signal.aborted) return;
  const late = joinSignals([signal], limits.toolStopTime.most);
  const stopped = new Promise<void>((resolve) => late.signal.addEventListener("abort", () => resolve()));
  await Promise.race([Promise.all(answers), stopped]).finally(late.release);
}

/** The same with what the server asked the person and the model: told to both, and kept. */
function withAsked(result: ToolResult, asked: AskedInCall, ofModel: ModelInCall): ToolResult {
  const words = [asked.words(), ofModel.words()].filter((one) => one !== "").join("\n");
  if (words === "") return result;
  const [person, model] = [asked.record(), ofModel.record()];
  const metadata = {
    ...result.metadata,
    ...(person.length === 0 ? {} : { asked: person }),
    ...(model.length === 0 ? {} : { askedModel: model }),
  };
  return { ...withWords(result, words), metadata, display: words };
}

/** The same with words of ours behind it. */
function withWords(result: ToolResult, words: string): ToolResult {
  if (words === "") return result;
  const joined = (text: string): string => (text === "" ? words : `${text}\n${words}`);
  return result.error === undefined
    ? { ...result, output: joined(result.output) }
    : { ...result, error: joined(result.error) };
}

/** The answer to a request, or what is not known of it. @throws ToolRefusal where nothing was done; NotBegun where that is because of a stop */
async function settled(
  request: Request,
  ctx: ToolContext,
  { of, shown }: { of: McpServer; shown: string },
): Promise<ToolResult | { answer: JsonObject }> {
  const stop = stopping(request, ctx.signal);
  try {
    const answer = await Promise.race([request.answer, stop.late]);
    of.answered();
    return answer === "no answer"
      ? unknown(`${of.name} was told to stop, and did not say what it had done`)
      : { answer };
  } catch (error) {
    if (error instanceof NotSent) {
      unstopped(ctx.signal);
      throw new ToolRefusal("FAILED", `nothing was done: the MCP server ${of.name} did not read it: ${error.message}`);
    }
    if (error instanceof ServerEnded)
      return unknown(
        `the MCP server ${of.name} ${of.host === undefined ? "ended" : "gave no whole answer"} while ${shown} was under way: ${error.message}`,
      );
    if (error instanceof NotGoneOn) {
      of.answered();
      const words = `${of.name} had to know something to go on with ${shown}: ${error.message}; it was not gone on with, and whether it did anything before is not known`;
      return { output: "", error: words, metadata: { code: "FAILED" } };
    }
    if (!(error instanceof ServerRefusal)) throw error;
    of.answered();
    return { output: "", error: `the server refused: ${error.message}`, metadata: { code: "FAILED" } };
  } finally {
    stop.release();
  }
}

const placeWords = ({ host }: McpServer): string => (host === undefined ? "" : ` at ${host.host}:${host.port}`);

const unknown = (error: string): ToolResult => ({ output: "", error, metadata: { code: "OUTCOME_UNKNOWN" } });

/** In one line where it is short. */
function argumentText(args: JsonObject): string {
  const text = JSON.stringify(args);
  return text.length <= 100 ? text : JSON.stringify(args, null, 2);
}

/** A server that is told to stop has a moment to say how far it came. */
function stopping(request: Request, signal: AbortSignal) {
  let timer: NodeJS.Timeout | undefined;
  let onLate: (late: "no answer") => void = () => undefined;
  const late = new Promise<"no answer">((resolve) => {
    onLate = resolve;
  });
  const stop = (): void => {
    request.cancel("the person stopped it");
    timer = setTimeout(() => onLate("no answer"), limits.toolStopTime.most);
  };
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  return {
    late,
    release: () => {
      signal.removeEventListener("abort", stop);
      clearTimeout(timer);
    },
  };
}

/** The interval at which the person is told how far it is, in milliseconds. */
const tellEvery = 100;

/** Characters of a tip that are looked at: more than is shown of one. */
const longestMessage = 4_000;

function teller({ progress: tell, masking }: Pick<ToolContext, "progress" | "masking">) {
  let last = Number.NEGATIVE_INFINITY;
  const cut = (tip: string): string => {
    const first = tip.slice(0, longestMessage);
    return first === tip ? tip : (masking?.beginning(first) ?? first);
  };
  return ({ progress, total, message }: { progress?: number; total?: number; message?: string }): void => {
    const now = performance.now();
    if (now - last < tellEvery) return;
    last = now;
    const share = progress !== undefined && total !== undefined && total > 0 ? progress / total : progress;
    const tip = message ?? (total === undefined || progress === undefined ? undefined : `${progress} of ${total}`);
    tell({ ...(share === undefined ? {} : { figure: share }), ...(tip === undefined ? {} : { tip: cut(tip) }) });
  };
}

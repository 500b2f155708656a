import { setTimeout as wait } from "node:timers/promises";
import { ToolRefusal } from "../../core/codes.ts";
import type { HostFact } from "../../core/host-fact.ts";
import { joinSignals } from "../../core/join-signals.ts";
import type { Json } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import { type AnswerServer, noModel, outsideOfCall, samplingMethod } from "./asking/answer-server.ts";
import type { BrowserWay } from "./browser/browser-way.ts";
import { readTools, type ServerTools } from "./definitions.ts";
import { listPages } from "./list-pages.ts";
import { type Connection, type Heard, ServerEnded } from "./messages.ts";
import { type Era, modernVersion } from "./modern/envelope.ts";
import { EndedAtProbe, type Hello, type Met, shakeHands } from "./shake-hands.ts";
import { untilStopped } from "./until-stopped.ts";

/** The terms on which a session has a server. */
export interface ServerSpec {
  /** Absolute: from where it is likely to take relative paths. */
  cwd: string;
  /** Of one that is not started but spoken to over the network. */
  host?: HostFact | undefined;
  /** Of one that is a browser. */
  browser?: BrowserWay | undefined;
  /** Names of its tools that are offered; default all. */
  only?: readonly string[] | undefined;
  /** It may ask the session's model, each time by a yes of the person. */
  mayAskModel?: boolean | undefined;
  /** Its era when it was trusted, where that is known. */
  era?: Era | undefined;
  /** The version by which the program calls itself to the server. */
  version: string;
  /** By which it pauses between its starts; default the machine's. */
  time?: { now(): number; wait(ms: number, signal: AbortSignal): Promise<unknown> } | undefined;
  /** Says why it is not to be used now, in words. @param program the one that was found to be its program */
  refuses(program?: string): Promise<string | undefined>;
  connect(heard: Heard, signal: AbortSignal): Promise<Connection>;
}

/** The words of a running server on itself. */
export interface Ready extends Omit<Met, "hasTools"> {
  /** As they are now. */
  tools: ServerTools;
}

interface Life {
  ready: Promise<Ready>;
  stop: AbortController;
  isOver: boolean;
}

const machineTime: NonNullable<ServerSpec["time"]> = {
  now: () => performance.now(),
  wait: (ms, signal) => wait(ms, undefined, { signal }),
};

/** Between two starts, in milliseconds: longer each time, until it has answered something. */
const pauses = [0, 1_000, 2_000, 5_000, 10_000, 30_000];

/** One server for a session: started when it is first needed, and anew when it is needed after it has ended. */
export class McpServer {
  readonly name: string;
  readonly #spec: ServerSpec;
  readonly #time: NonNullable<ServerSpec["time"]>;
  #life: Life | undefined;
  #known: Ready | undefined;
  /** Its era when it was last asked. */
  #era: Era | undefined;
  #failures = 0;
  #failedAt = 0;
  #isClosed = false;
  #look: Promise<void> | undefined;
  #isToLookAgain = false;
  /** Of the calls that are under way. */
  readonly #answering = new Set<AnswerServer>();

  constructor(name: string, spec: ServerSpec) {
    this.name = name;
    this.#spec = spec;
    this.#time = spec.time ?? machineTime;
    this.#era = spec.era;
  }

  /** Absolute: from where it is likely to take relative paths. */
  get cwd(): string {
    return this.#spec.cwd;
  }

  /** Of one that is spoken to over the network. */
  get host(): HostFact | undefined {
    return this.#spec.host;
  }

  /** Of one that is a browser: where it may go. */
  get browser(): BrowserWay | undefined {
    return this.#spec.browser;
  }

  /** Its offer, as far as one that runs has said. */
  get known(): Ready | undefined {
    return this.#known;
  }

  /** It runs, or is being started. */
  get isBegun(): boolean {
    return this.#life?.isOver === false;
  }

  /**
   * The server, running, and its tools as they are. One that is off by now is ended.
   * @param mayAsk a person is there whom one that is started now may ask something
   * @throws ToolRefusal where it could not be started or is off: nothing was asked of it then; the signal's reason.
   */
  async ready(signal: AbortSignal, mayAsk: boolean): Promise<Ready> {
    signal.throwIfAborted();
    await this.#endIfOff();
    const { ready } = this.#started(mayAsk);
    try {
      return await untilStopped(signal, ready);
    } catch (error) {
      if (signal.aborted || error instanceof ToolRefusal) throw error;
      const why = shortened(error instanceof Error ? error.message : String(error));
      const what = this.host === undefined ? "started" : "asked for its tools";
      throw new ToolRefusal("FAILED", `nothing was done: the MCP server ${this.name} could not be ${what}: ${why}`);
    }
  }

  /** The same where it runs: none is started. @throws ToolRefusal where it is off by now: it is ended then */
  async running(): Promise<Ready | undefined> {
    await this.#endIfOff();
    return this.#known?.connection.why === "" ? this.#known : undefined;
  }

  /** Assigns its questions from now on to this call. @returns ends that */
  asksIn(answer: AnswerServer): () => void {
    this.#answering.add(answer);
    return () => void this.#answering.delete(answer);
  }

  /** With more than one call under way nobody could say to the person which of them it asks for. */
  readonly #asks: AnswerServer = async (asked, signal) => {
    const [answer, ...others] = this.#answering;
    if (asked.method === samplingMethod && this.#spec.mayAskModel !== true) return noModel();
    return answer === undefined || others.length > 0 ? outsideOfCall(asked) : answer(asked, signal);
  };

  /** It has answered: the next start needs no pause. */
  answered(): void {
    this.#failures = 0;
  }

  /** Ends it, whatever it does. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const life = this.#life;
    if (life === undefined) return;
    life.stop.abort(new Error("the session ended"));
    const ready = await life.ready.catch(() => undefined);
    await ready?.connection.end("the session ended");
  }

  /** Ends it where it still runs though it is off by now. */
  async #endIfOff(): Promise<void> {
    const known = this.#known;
    const why = known === undefined ? undefined : await this.#spec.refuses();
    if (known === undefined || why === undefined) return;
    await known.connection.end(`it is off: ${why}`);
    throw isOff(this.name, why);
  }

  #started(mayAsk: boolean): Life {
    if (this.#life?.isOver === false) return this.#life;
    const stop = new AbortController();
    const life: Life = { stop, isOver: false, ready: this.#start(mayAsk, stop.signal, () => over()) };
    const over = (): void => {
      if (life.isOver) return;
      life.isOver = true;
      this.#known = undefined;
      this.#failures = Math.min(this.#failures + 1, pauses.length - 1);
      this.#failedAt = this.#time.now();
    };
    life.ready.catch(over);
    this.#life = life;
    return life;
  }

  async #start(mayAsk: boolean, stop: AbortSignal, over: () => void): Promise<Ready> {
    const pause = this.#failures === 0 ? 0 : this.#failedAt + (pauses[this.#failures] ?? 0) - this.#time.now();
    if (pause > 0) await this.#time.wait(pause, stop);
    if (this.#isClosed) throw new ToolRefusal("FAILED", "the session of this tool is closed");
    const refuse = async (program?: string): Promise<void> => {
      const why = await this.#spec.refuses(program);
      if (why !== undefined) throw isOff(this.name, why);
    };
    await refuse();
    const late = joinSignals([], limits.mcpStart.most);
    const meet = () => this.#met(mayAsk, { refuse, stop, late: late.signal });
    try {
      const ready = await meet().catch((error: unknown) => {
        if (!(error instanceof EndedAtProbe) || stop.aborted || late.signal.aborted) throw error;
        // It is started once more, and not asked how it speaks, for as long as this lasts.
        this.#era = "legacy";
        return meet();
      });
      void ready.connection.ended.then(over);
      this.#known = ready;
      return ready;
    } finally {
      late.release();
    }
  }

  /** One start of it. @throws what kept it from being had: it has ended then */
  async #met(
    mayAsk: boolean,
    { refuse, stop, late }: Pick<Heard, "refuse"> & { stop: AbortSignal; late: AbortSignal },
  ): Promise<Ready> {
    const toolsChanged = (): void => this.#lookAgain();
    const joined = joinSignals([stop, late]);
    const heard: Heard = { toolsChanged, asks: this.#asks, refuse };
    const connection = await this.#spec.connect(heard, joined.signal).finally(joined.release);
    const end = (): void =>
      void connection.end(
        late.aborted ? `its tools were not known within ${limits.mcpStart.most / 1000} s` : "the session ended",
      );
    for (const signal of [stop, late]) signal.addEventListener("abort", end, { once: true });
    try {
      if (stop.aborted) end();
      const { version, mayAskModel = false, host, only } = this.#spec;
      const isReached = host !== undefined;
      const hello: Hello = { version, mayAsk, mayAskModel, isReached, era: this.#era, toolsChanged };
      const { hasTools, ...met } = await shakeHands(connection, hello);
      const listed = hasTools ? await listTools(met.connection) : [];
      this.#era = met.era;
      return { ...met, tools: readTools(listed, { only, mirrors: mirrors(met, isReached) }) };
    } catch (error) {
      const isOver = error instanceof ServerEnded && connection.why !== "";
      await connection.end(isOver ? connection.why : "it did not answer as a server does");
      throw error;
    } finally {
      late.removeEventListener("abort", end);
    }
  }

  /** However often it says so, one look is under way, and one more comes after it. */
  #lookAgain(): void {
    this.#isToLookAgain = true;
    this.#look ??= this.#lookWhileChanged().finally(() => {
      this.#look = undefined;
    });
  }

  async #lookWhileChanged(): Promise<void> {
    while (this.#isToLookAgain && this.#known !== undefined) {
      this.#isToLookAgain = false;
      const known = this.#known;
      const tools = await listTools(known.connection).catch(() => undefined);
      const { only, host } = this.#spec;
      if (tools !== undefined) known.tools = readTools(tools, { only, mirrors: mirrors(known, host !== undefined) });
    }
  }
}

const isOff = (name: string, why: string): ToolRefusal =>
  new ToolRefusal("DENIED", `nothing was done: the MCP server ${name} is off: ${why}`);

/** Shortens a server's words on its failure to start. */
const shortened = (text: string): string => (text.length <= 1_000 ? text : `${text.slice(0, 1_000)}… (cut)`);

/** Tells whether arguments of its tools go into headers, too, where their schemas say so. */
const mirrors = ({ connection }: Pick<Ready, "connection">, isReached: boolean): boolean =>
  isReached && connection.protocol === modernVersion;

const listTools = (connection: Connection): Promise<Json[]> =>
  listPages(connection, "tools/list", { key: "tools", most: limits.mcpTools.most });

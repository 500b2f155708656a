import { GrowingObject } from "../../core/growing-object.ts";
import type { JsonObject } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import { type Paced, paced } from "../../core/progress.ts";
import { type Tool, type ToolContext, withoutHidden } from "../../core/tool.ts";
import type { Runtime } from "../runtime.ts";

/** A piece of a call as the model's stream brings it. */
export interface CallPiece {
  index: number;
  name?: string;
  argumentsDelta: string;
}

interface GrowingNeeds {
  /** The number of the reply's first call. */
  firstCall: number;
  /** A tool that the model was offered. */
  toolNamed(name: string): Tool | undefined;
  contextOf(callId: string): ToolContext;
}

interface GrowingCall {
  readonly callId: string;
  name: string;
  /** Was not told yet. */
  text: string;
  isNameTold: boolean;
  pace: Paced;
  shown?: ShownToTool | undefined;
}

/** The calls of one reply while the model writes them: what comes of them is told, and shown to their tools. */
export class GrowingCalls {
  readonly #runtime: Runtime;
  readonly #needs: GrowingNeeds;
  readonly #calls = new Map<number, GrowingCall>();

  constructor(runtime: Runtime, needs: GrowingNeeds) {
    this.#runtime = runtime;
    this.#needs = needs;
  }

  push({ index, name, argumentsDelta }: CallPiece): void {
    const call = this.#calls.get(index) ?? this.#begin(index);
    if (name !== undefined && name !== call.name) this.#named(call, name);
    call.text += argumentsDelta;
    call.shown?.push(argumentsDelta);
    call.pace.due();
  }

  /** The reply is whole: all of it is told, and its tools have looked at it. */
  async whole(): Promise<void> {
    for (const { pace } of this.#calls.values()) pace.flush();
    await Promise.all([...this.#calls.values()].map(({ shown }) => shown?.ended()));
  }

  /** The reply came to nothing, and these calls with it: their numbers are used again. */
  dropped(): void {
    for (const call of this.#calls.values()) {
      Object.assign(call, { text: "", isNameTold: true });
      call.shown?.stop();
    }
    this.#runtime.live.over([...this.#calls.values()].map(({ callId }) => callId));
    this.#calls.clear();
  }

  #begin(index: number): GrowingCall {
    const callId = `c${this.#needs.firstCall + index}`;
    const call: GrowingCall = { callId, name: "", text: "", isNameTold: true, pace: paced(() => this.#tell(call)) };
    this.#calls.set(index, call);
    return call;
  }

  #named(call: GrowingCall, name: string): void {
    call.name = name;
    call.isNameTold = false;
    this.#runtime.live.begin(call.callId, name);
    const tool = this.#needs.toolNamed(name);
    if (tool?.onPartial === undefined) return;
    const failed = (why: string): void =>
      this.#runtime.emit({
        type: "notice",
        code: "partial_failed",
        text: `the tool ${name} failed at arguments that were still coming: ${why}; the call goes on without`,
      });
    call.shown = new ShownToTool(tool, this.#needs.contextOf(call.callId), failed);
  }

  #tell(call: GrowingCall): void {
    const { callId, name, text, isNameTold } = call;
    if (isNameTold && text === "") return;
    call.text = "";
    call.isNameTold = true;
    this.#runtime.emit({
      type: "tool_progress",
      callId,
      phase: "arguments",
      ...(isNameTold ? {} : { toolName: name }),
      ...(text === "" ? {} : { partialArguments: text }),
    });
    call.shown?.due();
  }
}

/** From so many characters on arguments are shown to their tool each time they have grown by an eighth: all in all in linear time. */
const smallArguments = 4_096;

/** The arguments of one call as its tool is shown them: one look at a time, each of a copy of what came so far. */
class ShownToTool {
  readonly #tool: Tool;
  readonly #ctx: ToolContext;
  readonly #failed: (why: string) => void;
  readonly #arguments = new GrowingObject();
  #lookedAt = 0;
  #look: Promise<void> | undefined;
  #isOver = false;

  constructor(tool: Tool, ctx: ToolContext, failed: (why: string) => void) {
    this.#tool = tool;
    this.#ctx = ctx;
    this.#failed = failed;
  }

  push(text: string): void {
    if (!this.#isOver) this.#arguments.push(text);
  }

  due(): void {
    const { size } = this.#arguments;
    if (size <= smallArguments || size - this.#lookedAt >= this.#lookedAt / 8) this.#lookNow();
  }

  /** The arguments are whole: resolves when the tool has looked at all of them, or was given up. */
  async ended(): Promise<void> {
    await this.#look;
    this.#lookNow();
    await this.#look;
    this.#isOver = true;
  }

  #lookNow(): void {
    const { size } = this.#arguments;
    if (this.#isOver || this.#look !== undefined || size === this.#lookedAt) return;
    const shown = withoutHidden(this.#tool, this.#arguments.value());
    if (Object.keys(shown).length === 0) return;
    this.#lookedAt = size;
    this.#look = this.#show(shown).finally(() => {
      this.#look = undefined;
    });
  }

  stop(): void {
    this.#isOver = true;
  }

  async #show(shown: JsonObject): Promise<void> {
    const wait = givenUp(this.#ctx.signal);
    try {
      await Promise.race([(async () => this.#tool.onPartial?.(shown, this.#ctx))(), wait.over]);
    } catch (error) {
      if (!this.#isOver && !this.#ctx.signal.aborted) this.#failed(wordsOf(error));
      this.#isOver = true;
    } finally {
      wait.end();
    }
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 300);

/** A process that does not answer is ended first, so that nothing more is asked of it. */
const longestWait = limits.toolPartTime.most + limits.childGrace.most;

/** Rejects when the tool has had its time, or the person stops the model. */
function givenUp(signal: AbortSignal): { over: Promise<never>; end(): void } {
  let end = (): void => undefined;
  const over = new Promise<never>((_, reject) => {
    const stop = (): void => reject(new Error("it was stopped"));
    const timer = setTimeout(() => reject(new Error(`it did not return within ${longestWait / 1000} s`)), longestWait);
    signal.addEventListener("abort", stop, { once: true });
    end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    };
  });
  return { over, end };
}

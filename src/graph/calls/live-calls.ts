import { isFinal, type ToolCallInfo } from "../../core/call.ts";
import type { Progress } from "../../core/progress.ts";
import { type Paced, paced, progressOf } from "../../core/progress.ts";
import type { Tool } from "../../core/tool.ts";
import type { AgentEventBody } from "../events.ts";

interface LiveCall {
  toolName: string;
  isRunning: boolean;
  /** As it was last told, all fields. */
  told: Progress;
  /** The changes since. */
  due: Progress;
  pace: Paced;
  /** Has it go on in the background; undefined where it cannot. */
  sendAside: (() => void) | undefined;
}

interface LiveNeeds {
  emit(body: AgentEventBody): void;
  /** The tool of this name, as the session has it now. */
  toolNamed(name: string): Tool | undefined;
  reportDefect(error: unknown): void;
}

// Keeps graph 15.
/**
 * The calls that are not over: what their tools tell of them goes out in events of a bounded size and rate, each with what is new, and
 * nothing of it after the call's end; then the tool may forget the call.
 */
export class LiveCalls {
  readonly #needs: LiveNeeds;
  readonly #calls = new Map<string, LiveCall>();

  constructor(needs: LiveNeeds) {
    this.#needs = needs;
  }

  /** The one way of an event out. */
  readonly emit = (body: AgentEventBody): void => {
    if (body.type !== "tool_call") {
      this.#needs.emit(body);
      return;
    }
    const { callId, status } = body.call;
    this.#calls.get(callId)?.pace.flush();
    this.#needs.emit(body);
    const call = this.#open(callId);
    if ("toolName" in body.call) this.begin(callId, body.call.toolName);
    call.isRunning = status === "executing";
    if (!call.isRunning) call.sendAside = undefined;
    if (isFinal(body.call as ToolCallInfo) || status === "interrupted") this.over([callId]);
  };

  /** The model writes this call. Where it had been taken for one of another tool, that one may forget it. */
  begin(callId: string, toolName: string): void {
    const call = this.#open(callId);
    if (call.toolName !== toolName) this.#release(call.toolName, callId);
    call.toolName = toolName;
  }

  /** Takes the progress that a tool tells of its call. */
  tell(callId: string, given: unknown): void {
    const call = this.#calls.get(callId);
    if (call === undefined) return;
    const now = { ...call.told, ...call.due, ...progressOf(given) };
    call.due = changed(call.told, now);
    if (Object.keys(call.due).length > 0) call.pace.due();
  }

  /** The tool of this call can let it go on in the background, until it is over. Resolves when the person wants that. */
  mayGoAside(callId: string, over: Promise<unknown>): Promise<void> {
    const call = this.#calls.get(callId);
    if (call === undefined) return new Promise(() => undefined);
    return new Promise((send) => {
      call.sendAside = send;
      const withdraw = (): void => {
        if (call.sendAside === send) call.sendAside = undefined;
      };
      over.then(withdraw, withdraw);
      call.due = changed(call.told, { ...call.told, ...call.due, mayGoAside: true });
      call.pace.due();
    });
  }

  /** The person wants it to go on in the background. @returns what stands against it: it does not run, or cannot */
  sendAside(callId: string): "notRunning" | "notAside" | undefined {
    const call = this.#calls.get(callId);
    if (call?.isRunning !== true) return "notRunning";
    if (call.sendAside === undefined) return "notAside";
    call.sendAside();
    return undefined;
  }

  /** They have ended, or came to nothing: what their tools throw as they forget them is a defect of theirs, which ends nothing. */
  over(callIds: readonly string[]): void {
    for (const callId of callIds) {
      const { toolName = "" } = this.#calls.get(callId) ?? {};
      this.#calls.delete(callId);
      this.#release(toolName, callId);
    }
  }

  #release(toolName: string, callId: string): void {
    const tool = toolName === "" ? undefined : this.#needs.toolNamed(toolName);
    void (async () => tool?.release?.(callId))().catch(this.#needs.reportDefect);
  }

  #open(callId: string): LiveCall {
    const known = this.#calls.get(callId);
    if (known !== undefined) return known;
    const call: LiveCall = {
      toolName: "",
      isRunning: false,
      told: {},
      due: {},
      pace: paced(() => this.#say(callId, call)),
      sendAside: undefined,
    };
    this.#calls.set(callId, call);
    return call;
  }

  #say(callId: string, call: LiveCall): void {
    const { due, isRunning } = call;
    if (this.#calls.get(callId) !== call) return;
    call.told = { ...call.told, ...due };
    call.due = {};
    this.#needs.emit({ type: "tool_progress", callId, phase: isRunning ? "running" : "arguments", ...due });
  }
}

/** The fields of `now` that are others than before. */
const changed = (before: Progress, now: Progress): Progress =>
  Object.fromEntries(Object.entries(now).filter(([key, value]) => before[key as keyof Progress] !== value));

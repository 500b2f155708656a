import { isFinal, type ToolCallInfo } from "../core/call.ts";
import { GrowingObject } from "../core/growing-object.ts";
import type { JsonObject } from "../core/json.ts";
import type { Progress } from "../core/progress.ts";
import type { AgentEventBody } from "../graph/events.ts";

/** A call that is not over, as its events tell it together: of each field what was told last. */
export interface CallProgress extends Progress {
  readonly session: string;
  readonly callId: string;
  readonly toolName: string;
  readonly phase: "arguments" | "running";
  /** Left out while the model still writes the call. */
  readonly status?: ToolCallInfo["status"];
  /** As far as the model has written them, for showing; left out once the call is whole: its `tool_call` has those that count. */
  readonly partialArguments?: JsonObject;
}

interface Known extends Omit<CallProgress, "session" | "partialArguments"> {
  written: Written;
}

/** Arguments are read when somebody asks for them. */
interface Written {
  unread: string[];
  read: GrowingObject;
}

/** The calls that are not over of a session and of those that its calls drive, by their events. */
export class CallsInProgress {
  readonly #sessions = new Map<string, CallsOfOne>();

  take(body: AgentEventBody, session: string): void {
    const calls = this.#sessions.get(session) ?? new CallsOfOne();
    this.#sessions.set(session, calls);
    calls.take(body);
  }

  /** Session by session, in the order in which each was first told of: the session's own before those of its children. */
  all(): CallProgress[] {
    return [...this.#sessions].flatMap(([session, calls]) => calls.all().map((call) => ({ session, ...call })));
  }
}

class CallsOfOne {
  readonly #calls = new Map<string, Known>();

  take(body: AgentEventBody): void {
    if (body.type === "tool_progress") this.#progress(body);
    else if (body.type === "tool_call") this.#moved(body.call);
    else if (body.type === "assistant_message") this.#forgetWritten(body.calls);
    else if (body.type === "turn_ended") this.#forgetWritten([]);
  }

  all(): Omit<CallProgress, "session">[] {
    return [...this.#calls.values()].map(({ written, ...call }) =>
      call.status === undefined ? { ...call, partialArguments: readOf(written) } : call,
    );
  }

  #progress(event: Extract<AgentEventBody, { type: "tool_progress" }>): void {
    const { type: _, callId, partialArguments = "", ...told } = event;
    const { written = { unread: [], read: new GrowingObject() }, ...known } = this.#calls.get(callId) ?? {};
    if (partialArguments !== "") written.unread.push(partialArguments);
    this.#calls.set(callId, { callId, toolName: "", ...known, ...told, written });
  }

  #moved(call: Extract<AgentEventBody, { type: "tool_call" }>["call"]): void {
    const { callId, status } = call;
    const known = this.#calls.get(callId);
    if (isFinal(call as ToolCallInfo) || status === "interrupted") {
      this.#calls.delete(callId);
      return;
    }
    const toolName = "toolName" in call ? call.toolName : (known?.toolName ?? "");
    const phase = status === "executing" ? "running" : "arguments";
    const written = { unread: [], read: new GrowingObject() };
    this.#calls.set(callId, { ...known, callId, toolName, phase, status, written });
  }

  /** Of what the model wrote only these became calls. */
  #forgetWritten(calls: readonly string[]): void {
    for (const [callId, { status }] of this.#calls)
      if (status === undefined && !calls.includes(callId)) this.#calls.delete(callId);
  }
}

function readOf({ unread, read }: Written): JsonObject {
  for (const text of unread.splice(0)) read.push(text);
  return read.value();
}

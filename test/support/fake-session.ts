import type { AskedCall } from "../../src/cli/ui/view/view.ts";
import type { ToolCallInfo } from "../../src/core/call.ts";
import type { CallRef } from "../../src/core/call-ref.ts";
import type { AskedForm, FormAnswer } from "../../src/core/forms/asked-form.ts";
import { sha256 } from "../../src/core/json.ts";
import type { FilePlan, Plan } from "../../src/core/tool.ts";
import { diffOf } from "../../src/files/diff/diff.ts";
import { planDiff } from "../../src/files/diff/diff-text.ts";
import type { Offers } from "../../src/graph/calls/offers.ts";
import type { AnswerOutcome, CallDecision } from "../../src/graph/decisions.ts";
import type { AgentEvent, AgentEventBody, RecoveryChoice } from "../../src/graph/events.ts";
import type { Mode } from "../../src/policy/types.ts";
import type { UndoTarget } from "../../src/records/undo/changes.ts";
import type { FormRef } from "../../src/session/open-forms.ts";
import type { CommandOutcome, CompactOutcome, Session, UndoOutcome } from "../../src/session/session.ts";

type Heard =
  | { method: "submit" | "steer"; text: string }
  | { method: "answer"; callId: string; decision: CallDecision }
  | { method: "recover"; callId: string; choice: RecoveryChoice }
  | { method: "fill"; form: number; answer: FormAnswer }
  | { method: "undo"; target: UndoTarget }
  | { method: "runCommand"; command: string }
  | { method: "sendAside"; call: CallRef }
  | { method: "stopJob"; job: CallRef }
  | { method: "stopChild"; child: string }
  | { method: "compact"; keep: string | undefined }
  | { method: "undoCompaction" }
  | { method: "stop" }
  | { method: "takeBack"; atWork?: true }
  | { method: "setMode"; mode: Mode }
  | { method: "setModel"; spec: string }
  | { method: "close" };

export const fakeId = "brisk-otter-4f2a";
/** The address of a call of a session without an agent. */
export const fakeCall = (call: string): CallRef => ({ session: fakeId, call });

/** A session without an agent: it plays the events it is told to, and keeps what it heard. */
export class FakeSession implements Session {
  readonly id: string;
  readonly workspace: string;
  readonly heard: Heard[] = [];
  /** What it answers to an approval; a test may set it. */
  outcome: AnswerOutcome = { ok: true };
  mode: Mode = "ask";
  /** What it answers to an undo; a test may set it. */
  undoOutcome: UndoOutcome = { ok: true, calls: ["c1"] };
  /** What it answers where the talk is to be summed up, or that is taken back; a test may set it. */
  compactOutcome: CompactOutcome = { ok: false, message: "there is nothing to sum up" };
  /** What it gives back of messages that wait; a test may set it. */
  waiting: string[] = [];
  onHeard: (heard: Heard) => void | Promise<void> = () => undefined;
  #asked: readonly AskedCall[] = [];
  #seq = 0;
  #queue: AgentEvent[] = [];
  #wake: (() => void) | undefined;
  #closed = false;
  #failure: Error | undefined;

  constructor(id = fakeId, workspace = "/home/ada/proj") {
    this.id = id;
    this.workspace = workspace;
  }

  /** What may be granted to a call stands in it as it was emitted. */
  async offersOf({ session, call }: CallRef): Promise<Offers> {
    const asked = this.#asked.find((one) => one.callId === call && (one.session ?? this.id) === session);
    return { grants: asked?.grants ?? [], ...(asked?.mode === undefined ? {} : { mode: asked.mode }) };
  }

  emit(...bodies: AgentEventBody[]): void {
    for (const body of bodies) if (body.type === "approval_requested") this.#asked = body.calls;
    for (const body of bodies) this.#queue.push(eventOf(body, ++this.#seq, this.id));
    this.#wake?.();
  }

  /** The stream breaks, as it does when the program behind it has a defect. */
  break(error: Error): void {
    this.#failure = error;
    this.#wake?.();
  }

  progress() {
    return [];
  }

  async *events(): AsyncIterable<AgentEvent> {
    for (;;) {
      const next = this.#queue.shift();
      if (next !== undefined) yield next;
      else if (this.#failure !== undefined) throw this.#failure;
      else if (this.#closed) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async submit(text: string): Promise<void> {
    await this.#hear({ method: "submit", text });
  }

  async steer(text: string): Promise<void> {
    await this.#hear({ method: "steer", text });
  }

  async takeBack({ atWork }: { atWork?: boolean } = {}): Promise<string[]> {
    await this.#hear({ method: "takeBack", ...(atWork === true ? { atWork } : {}) });
    return this.waiting.splice(0);
  }

  async answer(ref: CallRef, decision: CallDecision): Promise<AnswerOutcome> {
    await this.#hear({ method: "answer", callId: this.#own(ref), decision });
    return this.outcome;
  }

  async recover(ref: CallRef, choice: RecoveryChoice): Promise<AnswerOutcome> {
    await this.#hear({ method: "recover", callId: this.#own(ref), choice });
    return this.outcome;
  }

  async fill({ form }: FormRef, answer: FormAnswer): Promise<AnswerOutcome> {
    await this.#hear({ method: "fill", form, answer });
    return this.outcome;
  }

  #own({ session, call }: CallRef): string {
    if (session !== this.id) throw new Error(`a call of ${session} is none of ${this.id}`);
    return call;
  }

  async undo(target: UndoTarget): Promise<UndoOutcome> {
    await this.#hear({ method: "undo", target });
    return this.undoOutcome;
  }

  async runCommand(command: string): Promise<CommandOutcome> {
    await this.#hear({ method: "runCommand", command });
    return { ok: true };
  }

  async sendAside(call: CallRef): Promise<CommandOutcome> {
    await this.#hear({ method: "sendAside", call });
    return { ok: true };
  }

  async stopJob(job: CallRef): Promise<CommandOutcome> {
    await this.#hear({ method: "stopJob", job });
    return { ok: true };
  }

  async stopChild(child: string): Promise<CommandOutcome> {
    await this.#hear({ method: "stopChild", child });
    return { ok: true };
  }

  async compact(keep?: string): Promise<CompactOutcome> {
    await this.#hear({ method: "compact", keep });
    return this.compactOutcome;
  }

  async undoCompaction(): Promise<CompactOutcome> {
    await this.#hear({ method: "undoCompaction" });
    return this.compactOutcome;
  }

  async stop(): Promise<void> {
    await this.#hear({ method: "stop" });
  }

  setMode(mode: Mode): void {
    this.mode = mode;
    this.heard.push({ method: "setMode", mode });
  }

  async setModel(spec: string): Promise<void> {
    await this.#hear({ method: "setModel", spec });
  }

  async settled(): Promise<void> {}

  async close(): Promise<void> {
    this.heard.push({ method: "close" });
    this.#closed = true;
    this.#wake?.();
  }

  async #hear(heard: Heard): Promise<void> {
    this.heard.push(heard);
    await this.onHeard(heard);
  }
}

/** One event of the stream, as a session would number it. */
export const eventOf = (body: AgentEventBody, seq = 1, session = fakeId): AgentEvent => ({
  v: 1,
  seq,
  at: "2026-11-21T10:00:00.000Z",
  session,
  ...body,
});

const base = (callId: string, toolName: string, args: ToolCallInfo["arguments"]) => ({
  callId,
  modelCallId: `m-${callId}`,
  toolName,
  arguments: args,
  risk: "low" as const,
  effect: "none" as const,
  attempt: 1,
  times: { proposed: 1 },
});

export const pendingCall = (callId: string, toolName: string, args: ToolCallInfo["arguments"]): ToolCallInfo => ({
  ...base(callId, toolName, args),
  status: "pending",
});

export const doneCall = (
  callId: string,
  toolName: string,
  args: ToolCallInfo["arguments"],
  result: { output: string; title?: string },
): ToolCallInfo => ({ ...base(callId, toolName, args), status: "success", result });

/** The plan of one file's change, as a tool makes it. */
export function planOf(path: string, before: string | null, after: string): Plan & { files: [FilePlan] } {
  const cwd = "/home/ada/proj";
  const file: FilePlan = {
    asked: path,
    real: `${cwd}/${path}`,
    kind: before === null ? "new" : "modify",
    before: before === null ? null : sha256(before),
    after: sha256(after),
    mode: 0o644,
    eol: "lf",
    bom: false,
    encoding: "utf-8",
    ...diffOf(before, after),
  };
  const summary = `${before === null ? "write" : "edit"} ${path} (+${file.added} -${file.removed})`;
  return { summary, cwd, diff: planDiff([file], cwd), files: [file] };
}

const greet = (said: string): string => `export const greet = () => {\n  return "${said}";\n};\n`;

export const smallPlan = planOf("src/a.ts", greet("hello"), greet("hello, world"));

/** A new file of `count` lines. */
export const longPlan = (count: number) =>
  planOf(
    "src/long.ts",
    null,
    Array.from({ length: count }, (_, index) => `const line${index + 1} = ${index + 1};\n`).join(""),
  );

/** A waiting edit of src/a.ts; `more` overrides. */
export const waitingEdit = (callId: string, more: Partial<AskedCall> = {}): AskedCall => ({
  session: fakeId,
  callId,
  toolName: "edit_file",
  arguments: { file_path: "src/a.ts", old_string: '"hello"', new_string: '"hello, world"' },
  risk: "medium",
  digest: "9f3c1122334455667788",
  plan: smallPlan,
  verdict: { decision: "ask", risk: "medium", rule: { source: "table" }, why: "it changes a file" },
  ...more,
});

/** A plan to work by that waits; `more` overrides. */
export const waitingPlan = (callId: string, more: Partial<AskedCall> = {}): AskedCall =>
  waitingEdit(callId, {
    toolName: "present_plan",
    arguments: {
      plan: "# Back off between tries\n\n1. Give `retry` a limit: **options.max**, 3 by default\n2. Wait twice as long each time\n\n```sh\nnpm test\n```\n",
      goals: ["give it a limit", "wait longer each time"],
    },
    plan: { summary: "work by the plan", cwd: "/home/ada/proj" },
    verdict: {
      ...{ decision: "ask", risk: "medium", rule: { source: "confirm" } },
      why: "a plan is worked once you have approved it",
    },
    mode: "accept-edits",
    ...more,
  });

/** What a server asks, of each kind of field one; `more` overrides. */
export const askedForm = (more: Partial<AskedForm> = {}): AskedForm => ({
  from: "hub",
  tool: "create_ticket",
  message: "The ticket needs a few words more.",
  fields: [
    { kind: "text", name: "summary", title: "Summary", description: "In one line.", required: true, most: 80 },
    { kind: "text", name: "contact", format: "email", required: false },
    { kind: "number", name: "hours", isWhole: true, least: 1, most: 40, default: 8, required: true },
    { kind: "yes_no", name: "urgent", required: false, default: false },
    {
      ...{ kind: "choice", name: "team", title: "Team", required: true },
      choices: [{ value: "t1", title: "Tools" }, { value: "t2", title: "Docs" }, { value: "web" }],
    },
    {
      ...{ kind: "choices", name: "labels", required: false, most: 2 },
      choices: [{ value: "bug" }, { value: "later" }, { value: "ui" }],
    },
  ],
  ...more,
});

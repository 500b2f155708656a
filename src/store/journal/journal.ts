import type { BaseMessage } from "@langchain/core/messages";
import type { ChildNote } from "../../core/child.ts";
import { faultAtMoves, faultPoint } from "../../core/fault-point.ts";
import type { HookSaid } from "../../core/hooks.ts";
import type { KeptJob } from "../../core/kept-outputs.ts";
import type { StepId } from "../../core/step-id.ts";
import type { Durability, Keys } from "../commit.ts";
import type { CommitEngine } from "../engine.ts";
import { toText, wellFormed } from "../plain-codec.ts";
import type {
  AnswerRow,
  CallMove,
  Compaction,
  HookUse,
  Journal,
  Lease,
  NewCompaction,
  NewTurn,
  RequestEnd,
  SessionState,
  Spending,
  SteerRow,
  ToldFile,
  TurnRow,
  Withdrawn,
} from "../types.ts";
import { packDigest } from "./call-row.ts";
import { draftCompaction, draftTakenBack } from "./compactions.ts";
import { Draft } from "./draft.ts";
import { draftHookBegun, draftHookEnded } from "./hook-runs.ts";
import { draftOutput, draftPersonTold, isToBeTold } from "./jobs.ts";
import { JournalReader, type ReadingParts } from "./journal-reader.ts";
import {
  checkBeginnings,
  checkLegal,
  draftAnswer,
  draftChild,
  draftHeard,
  draftMove,
  draftReply,
  draftVerdict,
  lasts,
  type Reply,
} from "./moves.ts";
import { pack, packAll } from "./packed-bytes.ts";
import { draftSteer, draftSteerAsTurn, draftTold, draftWithdrawn } from "./steers.ts";
import { draftToldFiles } from "./told-files.ts";
import { draftTurn, draftTurnState, untitled } from "./turns.ts";

export interface JournalParts extends ReadingParts {
  readonly engine: CommitEngine;
  readonly lease: Lease;
  readonly clock: () => number;
}

/** The journal of a session that this process drives: each write is made as a commit, and then seen in the rows. */
export class SessionJournal extends JournalReader implements Journal {
  readonly #engine: CommitEngine;
  readonly #lease: Lease;
  readonly #clock: () => number;

  constructor(parts: JournalParts) {
    super(parts);
    this.#engine = parts.engine;
    this.#lease = parts.lease;
    this.#clock = parts.clock;
  }

  async addTurn(turn: NewTurn): Promise<TurnRow> {
    faultPoint("before user text saved");
    const packed = await packAll(turn.keep);
    const row = await this.#commit("full", (draft) => {
      draft.keep(packed);
      const added = draftTurn(draft, turn);
      draft.touch(undefined, untitled(draft, turn.title));
      return added;
    });
    faultPoint("after user text saved");
    return row;
  }

  async setTurn(turn: number, state: TurnRow["state"], reason?: string): Promise<void> {
    await this.#commit("full", (draft) => draftTurnState(draft, turn, state, reason));
  }

  async addSteer(message: BaseMessage, contents: readonly Uint8Array[] = []): Promise<void> {
    faultPoint("before steer saved");
    const packed = await packAll(contents);
    await this.#commit("full", (draft) => {
      draft.keep(packed);
      draftSteer(draft, message);
      draft.touch();
    });
    faultPoint("after steer saved");
  }

  async tellSteers(stepId: StepId): Promise<SteerRow[]> {
    faultPoint("before steers told");
    const told = await this.#commit("full", (draft) => draftTold(draft, stepId).flatMap((row) => this.steer(row)));
    faultPoint("after steers told");
    return told.map((one) => ({ ...one, step: stepId }));
  }

  async steerToTurn(before?: TurnRow["turn"]): Promise<TurnRow | undefined> {
    const turn = await this.#commit("full", (draft) => draftSteerAsTurn(draft, before));
    return turn === undefined ? undefined : this.turns().find((row) => row.turn === turn);
  }

  async withdrawWaiting(): Promise<Withdrawn[]> {
    faultPoint("before messages withdrawn");
    const withdrawn = await this.#commit("full", (draft) =>
      draftWithdrawn(draft).flatMap(({ message, text }) => this.#withdrawn(message, text)),
    );
    faultPoint("after messages withdrawn");
    return withdrawn;
  }

  async commitReply(reply: Reply): Promise<void> {
    checkBeginnings(reply.calls);
    faultPoint("before reply committed");
    // With nothing but reads in it the model may be asked again, so a power cut may take it back; see `Durability`.
    const onlyReads = reply.calls.length > 0 && reply.calls.every((call) => call.effect === "none");
    await this.#commit(onlyReads ? "normal" : "full", (draft) => draftReply(draft, reply));
    faultPoint("after reply committed");
  }

  async addCompaction(made: NewCompaction, usage?: Spending & { turn?: number }): Promise<Compaction> {
    faultPoint("before compaction committed");
    const at = this.#clock();
    const id = await this.#commit("full", (draft) => {
      if (usage !== undefined) noteSpent(draft, usage);
      return draftCompaction(draft, made, at);
    });
    faultPoint("after compaction committed");
    return { ...made, id, at };
  }

  noteSpent(usage: Spending & { turn?: number }): Promise<void> {
    return this.#commit("full", (draft) => noteSpent(draft, usage));
  }

  undoCompaction(id: string): Promise<boolean> {
    return this.#commit("full", (draft) => draftTakenBack(draft, id));
  }

  async notePublished(calls: readonly { callId: string; digest: string }[]): Promise<void> {
    await this.#commit("full", (draft) => {
      for (const { callId, digest } of calls) {
        const call = draft.call(callId);
        if (call?.status === "awaiting_approval") draft.patchCall(call, { shown: packDigest(digest) });
      }
    });
  }

  async move(moves: CallMove[], answer?: AnswerRow): Promise<void> {
    for (const move of moves) checkLegal(move);
    // A read may run again, so a power cut may take its rows back; see `Durability`.
    const lasting =
      answer !== undefined ||
      moves.some(({ before, after, spend }) => [before.effect, after.effect].some(lasts) || spend !== undefined);
    const packed = await packAll(moves.flatMap(({ keep = [] }) => keep));
    faultAtMoves("before", moves, answer);
    if (answer?.request !== undefined) faultPoint("before outside request heard");
    await this.#commit(lasting ? "full" : "normal", (draft) => {
      draft.keep(packed);
      if (answer !== undefined) draftAnswer(draft, answer);
      for (const move of moves) draftMove(draft, move, this.#lease.fence);
    });
    faultAtMoves("after", moves, answer);
    if (answer?.request !== undefined) faultPoint("after outside request heard");
  }

  async noteHeard(request: number, end: { became: RequestEnd; said?: string }): Promise<void> {
    faultPoint("before outside request heard");
    await this.#commit("full", (draft) => draftHeard(draft, request, end));
    faultPoint("after outside request heard");
  }

  async noteVerdicts(rows: Parameters<Journal["noteVerdicts"]>[0]): Promise<void> {
    if (rows.length === 0) return;
    // As with moves: what may run again may be judged again too.
    const onlyReads = rows.every(({ callId, effect }) => !lasts(effect ?? this.rows.call(callId)?.effect));
    await this.#commit(onlyReads ? "normal" : "full", (draft) => {
      for (const row of rows) draftVerdict(draft, row);
    });
  }

  async noteGrantKept(callId: string): Promise<void> {
    await this.#commit("full", (draft) => {
      const key = draft.rows.callNames().get(callId);
      const due = draft.answers().filter(({ call, grant_text }) => call === key && grant_text !== null);
      for (const answer of due)
        if (answer.grant_kept === null) draft.patchAnswer(answer, { grant_kept: draft.clock() });
    });
  }

  async noteChild(callId: string, child: ChildNote): Promise<void> {
    await this.#commit("normal", (draft) => draftChild(draft, callId, child));
  }

  async keepOutput(callId: string, bytes: Uint8Array, job?: KeptJob, attempt?: number): Promise<void> {
    const packed = await pack(bytes);
    // Of a lost one, and of one that came to its own end, the person is told as soon as this is written.
    await this.#commit(isToBeTold(job) ? "full" : "normal", (draft) =>
      draftOutput(draft, { callId, attempt, bytes }, packed, job),
    );
  }

  async noteJobTold(end: number): Promise<void> {
    await this.#commit("full", (draft) => draftPersonTold(draft, end));
  }

  async tellFiles(stepId: StepId, files: readonly Pick<ToldFile, "name" | "text">[]): Promise<void> {
    faultPoint("before files told");
    await this.#commit("normal", (draft) => draftToldFiles(draft, stepId, files));
    faultPoint("after files told");
  }

  async beginHook(use: HookUse): Promise<number> {
    faultPoint("before hook begun");
    const seq = await this.#commit("full", (draft) => draftHookBegun(draft, use));
    faultPoint("after hook begun");
    return seq;
  }

  async noteHookChild(seq: number, child: ChildNote): Promise<void> {
    await this.#commit("normal", (draft) => draft.patch("hook_run", { seq }, { child: toText(child) }));
  }

  async endHook(seq: number, said: HookSaid): Promise<void> {
    faultPoint("before hook ended");
    await this.#commit("full", (draft) => draftHookEnded(draft, seq, said));
    faultPoint("after hook ended");
  }

  get isHeldUp(): boolean {
    return this.#engine.isHeldUp;
  }

  override startedHere(callId: string): boolean {
    const row = this.rows.call(callId);
    return row?.status === "executing" && row.fence === this.#lease.fence;
  }

  async setState(state: SessionState): Promise<void> {
    await this.#commit("full", (draft) => draft.patch("session", {}, { state, updated: draft.clock() }));
  }

  async setModel(model: string): Promise<void> {
    await this.#commit("full", (draft) =>
      draft.patch("session", {}, { model: wellFormed(model), updated: draft.clock() }),
    );
  }

  async noteModelTitle(title: string | undefined, usage: Spending): Promise<boolean> {
    return this.#commit("full", (draft) => {
      const isDue = title !== undefined && draft.rows.stored.session()?.title_by === null;
      noteSpent(draft, usage, isDue ? { title: wellFormed(title), title_by: "model" } : {});
      return isDue;
    });
  }

  #withdrawn(key: number, text: string | null): Withdrawn[] {
    const message = this.messages.read(this.thread, key);
    if (message === undefined) return [];
    const said = text ?? (typeof message.content === "string" ? message.content : "");
    return [{ messageId: message.id ?? "", text: said }];
  }

  /** @param write writes into the draft; again, into a new one, where the store was busy */
  async #commit<T>(durability: Durability, write: (draft: Draft) => T): Promise<T> {
    const { session, thread, rows, messages } = this;
    const made: { value?: T } = {};
    try {
      await this.#engine.commit(this.#lease, durability, () => {
        const draft = new Draft({ session, thread, rows, messages, clock: this.#clock });
        made.value = write(draft);
        return { commit: draft.commit, committed: (keys: Keys) => draft.settle(keys) };
      });
    } catch (error) {
      // What is stored is what counts, whatever it is now.
      rows.forget();
      throw error;
    }
    return made.value as T;
  }
}

function noteSpent(
  draft: Draft,
  { turn, ...usage }: Spending & { turn?: number },
  more: Parameters<Draft["touch"]>[1] = {},
): void {
  draft.touch(usage, more);
  draft.spent(turn, usage);
}

import type { CallRef } from "../core/call-ref.ts";
import type { FormAnswer } from "../core/forms/asked-form.ts";
import type { Offers } from "../graph/calls/offers.ts";
import type { AnswerOutcome, CallDecision } from "../graph/decisions.ts";
import type { AgentEvent, RecoveryChoice } from "../graph/events.ts";
import type { Mode } from "../policy/types.ts";
import type { UndoTarget } from "../records/undo/changes.ts";
import type { CallProgress } from "./calls-in-progress.ts";
import type { EventsAsked } from "./event-stream.ts";
import type { FormRef } from "./open-forms.ts";
import type { CompactOutcome } from "./person-compact.ts";
import type { Pictures } from "./sent-message.ts";

/**
 * `message` says in words why nothing was begun; `rest`: those that can be taken back all the same, by an undo with `rest`.
 * `left`: in words what stands against calls that were left out.
 */
export type UndoOutcome =
  | { ok: true; calls: string[]; left?: string[] }
  | { ok: false; message: string; rest?: string[] };

export type CommandOutcome = { ok: true } | { ok: false; message: string };

export type { CompactOutcome };

/** One conversation, driven by this process. Operations go in by method; what happens comes out of `events`. */
export interface Session {
  readonly id: string;
  readonly workspace: string;
  /**
   * Reads the events, in their order, numbered by `seq` from 1 since the session was opened; ends after `close`. As many as like read it, each for
   * itself: none waits for another one, nor the session for any.
   * Without `after`: all from the first event on, which is kept until this reader has had it, however slow it is. With `after` what follows
   * that number, for a reader that comes back: kept are the last 10,000 events, of no more than 32 million characters.
   * @throws EventsGone where what follows is no longer kept, or the number is not of this opening; also while it is read, for one that fell
   * behind what is kept. TypeError
   */
  events(asked?: EventsAsked): AsyncIterable<AgentEvent>;
  /** The calls that are not over as they are now, each with all that its events told of it so far. */
  progress(): CallProgress[];
  /**
   * A message of the person: durable when the promise resolves. While a turn runs it is queued; where calls wait they are
   * cancelled, said so, and the message goes on. At most ten pictures come with it; each is decoded
   * before it is kept. Where something is to be found for it first, what is typed behind it waits, and answers do not; a stop, or the end, refuses
   * it then.
   * @param unasked it was said before the person was asked: calls that are asked about by now go on waiting, and it is queued behind them
   */
  submit(text: string, pictures?: Pictures, unasked?: boolean): Promise<void>;
  /**
   * A message of the person for the turn under way: durable when the promise resolves, and told to the model at the turn's next step.
   * Calls that wait go on waiting. Where the turn ends before, it begins the next one; where the turn fails, it waits until the turn is
   * gone on with, or goes before the next message. Where no turn is under way, or it brings calls, it is `submit`.
   */
  steer(text: string, pictures?: Pictures): Promise<void>;
  /**
   * Takes back the messages that wait, also for what they bring: the model is never told them, and no record has them as said. Durable when the promise resolves.
   * @param asked `atWork`: none where, behind all that was asked for before, everything that is open waits for the person, which a stop keeps
   * so
   * @returns their texts, in the order in which they were said
   */
  takeBack(asked?: { atWork?: boolean }): Promise<string[]>;
  /**
   * Durable when the promise resolves. The turn goes on when no call of the message waits any more.
   * @param call by its address, which `refOf` makes of what a question has of it
   */
  answer(call: CallRef, decision: CallDecision): Promise<AnswerOutcome>;
  /** Finds the grants that would allow such calls from now on, for an answer's `grant`, worked out now: nothing where the call does not wait. */
  offersOf(call: CallRef): Promise<Offers>;
  recover(call: CallRef, choice: RecoveryChoice): Promise<AnswerOutcome>;
  /**
   * The person's answer to what a call asks while it runs (`form_requested`). It goes out as it is, once; what does not fit goes nowhere and can
   * be given anew. Nothing of it is stored, and it is asked no more once the call is over.
   */
  fill(form: FormRef, answer: FormAnswer): Promise<AnswerOutcome>;
  /**
   * Takes back what earlier calls changed in files: a turn of its own, of one call, which is planned, asked about and applied
   * like any other; the model learns of it with the next message. Resolves when the turn is under way.
   */
  undo(target: UndoTarget): Promise<UndoOutcome>;
  /**
   * Runs a command line of the person: a turn of its own, of one call, which is planned and judged like any other. What policy would
   * ask about the person has said by typing it; what it denies is not run. The model learns of it with the next message. Resolves when
   * the turn is under way; refused in a session that no message has begun.
   */
  runCommand(command: string): Promise<CommandOutcome>;
  /**
   * Has a call that runs go on in the background, where its tool can let it (`tool_progress` with `mayGoAside`): the call ends, and says how
   * far it was; what runs is a job of the session from then on. Where it comes to its end first, that is what it says.
   */
  sendAside(call: CallRef): Promise<CommandOutcome>;
  /** Ends a background job of the session, in the same way as `runCommand`. @param job by the call that started it */
  stopJob(job: CallRef): Promise<CommandOutcome>;
  /**
   * Ends a session that a call of this one drives, and no other: its processes are ended, what is open in it is called off, and what it came
   * to until then is kept and told. Durable when the promise resolves; the call goes on with the others. @param child its id
   */
  stopChild(child: string): Promise<CommandOutcome>;
  /**
   * Has the model sum up the talk, but for its end and for calls that are open: from then on it reads the summary in the place of what is
   * before. All that is stored stays as it is. Durable when the promise resolves; `stop` gives it up.
   * @param keep the person's words on what is to be in it
   */
  compact(keep?: string): Promise<CompactOutcome>;
  /** Takes back the newest summary, else the newest cut of old outputs: the model reads again what was there. */
  undoCompaction(): Promise<CompactOutcome>;
  /** Esc: ends what runs, children reaped; the turn ends as `cancelled`. Resolves when it has ended. */
  stop(): Promise<void>;
  /** That of the calls to come. */
  readonly mode: Mode;
  setMode(mode: Mode): void;
  setModel(spec: string): Promise<void>;
  /** Resolves when no turn runs and none is queued, or calls wait for the person. */
  settled(): Promise<void>;
  /** Stops what runs, releases the lease, disposes tools, ends `events`. */
  close(): Promise<void>;
}

import type { Sha } from "../core/json.ts";
import type { Commit, Durability, Keys } from "./commit.ts";
import type { StoreFailure } from "./problems.ts";
import type { Spent, StoredReply } from "./rows.ts";
import type {
  AnswerColumns,
  CallColumns,
  CompactionColumns,
  EventColumns,
  HookRunColumns,
  JobEndColumns,
  JobState,
  MirroredCall,
  SessionColumns,
  SteerColumns,
  StepColumns,
  ToldFileColumns,
  TurnColumns,
} from "./tables.ts";
import type { Lease } from "./types.ts";

/** Tables of a session that are mirrored whole, each in the order in which it is read. */
export interface WholeTables {
  turn: TurnColumns;
  step: StepColumns;
  answer: AnswerColumns;
  steer: SteerColumns;
  job_end: JobEndColumns;
  told_file: ToldFileColumns;
  hook_run: HookRunColumns;
  compaction: CompactionColumns;
}

/** The column by which the rows of each are in order. */
export const wholeOrders: Record<keyof WholeTables, string> = {
  ...{ turn: "turn", step: "message", answer: "seq", steer: "seq" },
  ...{ job_end: "seq", told_file: "seq", hook_run: "seq", compaction: "seq" },
};

/** Calls as they are sifted where they lie, for their plans and results are large. */
export type HeardColumns = Pick<CallColumns, "tool" | "actor" | "plan" | "verdict" | "decided"> & { settled: number };
export type ChangedFile = { id: string; real: string; before: string | null; after: string | null };
/** The same of any session of the tree, with when its call was started. */
export type ChangedInTree = ChangedFile & { session: string; started: number | null };
/** An event as it is stored, with the id of the call that it is of, empty where the call is lost. */
export type StoredEvent = EventColumns & { call_id: string };
export type StoredOutput = { form: number; bytes: Uint8Array; job: JobState | null };

/** Reads what is stored of one session, as it is now. @throws StoreFailure */
export interface RowSource {
  /** The store's file, beside which more is kept; `:memory:` for one without. */
  readonly file: string;
  /** Another number once anything was committed to the store, by anybody; NaN within a transaction, whose rows may yet be taken back. */
  version(): number;
  whole<T extends keyof WholeTables>(table: T): WholeTables[T][];
  session(): SessionColumns | undefined;
  /** Of all calls, in their order. */
  callNames(): { id: string; key: number }[];
  call(id: string): MirroredCall | undefined;
  /** In their order; of all steps, or those from one key to another. */
  calls(range?: { first: number; last: number }): MirroredCall[];
  /** Lists the status of the calls from one key to another, in their order. */
  standings(range: { first: number; last: number }): Pick<CallColumns, "tool" | "status" | "error_code">[];
  /** Those that are not settled. */
  openCalls(): MirroredCall[];
  /** Those of one tool that came to a success, in their order. */
  succeeded(tool: string): MirroredCall[];
  planOf(id: string): string | null | undefined;
  lastEvent(): Pick<EventColumns, "seq" | "hash"> | undefined;
  events(): StoredEvent[];
  replies(): (Omit<StoredReply, "id"> & { id: string })[];
  /** Of all sessions of the tree, in the order in which they ended. */
  heardCalls(): HeardColumns[];
  /** Of a message of a turn, or that was said meanwhile, in any session of the tree. */
  holdsMark(key: string): boolean;
  fileChanges(): ChangedFile[];
  /** Of all sessions of the tree; those of one session in their order. @param unseen also of calls that began and have no end */
  fileChangesInTree(unseen: boolean): ChangedInTree[];
  /** Of one turn, or of all and what was no part of one. */
  spent(turn?: number): Spent;
  /** The models whose replies the turn has, each once, in their order. */
  modelsOf(turn: number): string[];
  /** Of all turns of all sessions of the tree. */
  spentInTree(): Spent;
  /** Of all other sessions of the tree. */
  stepsOfOthers(): number;
  /** Of calls with a job, in their order. */
  jobs(): { id: string; job: JobState }[];
  output(id: string): StoredOutput | undefined;
  /** The state of the job that the output of a call is of, by the key of the call; null where it is of none, or there is none. */
  jobOf(call: number): JobState | null;
  /** @throws StoreFailure corrupt where the bytes are no longer those that were kept. */
  kept(sha: Sha): Uint8Array | undefined;
  /** Makes the failure that is thrown where something of the session is damaged, or where it cannot go on for that. */
  damaged(what: string): StoreFailure;
  broken(cause: unknown): StoreFailure;
}

/** A commit, with what is to be done at once when it is made: nobody reads in between. It must not throw. */
export interface Planned {
  readonly commit: Commit;
  committed(keys: Keys): void;
}

/** The engine, as far as a journal needs it. */
export interface CommitEngine {
  /** A commit waits for another process that keeps the store locked. */
  readonly isHeldUp: boolean;
  source(thread: number, session: string): RowSource;
  /**
   * Makes one commit, after those that were asked for before. `plan` is called when its turn has come, and the fence was found to be the
   * lease's; again where the store was busy. What it throws is thrown, and nothing is written.
   * @throws StaleMove where something that must hold does not; SessionBusy, StoreFailure.
   */
  commit(lease: Lease, durability: Durability, plan: () => Planned): Promise<void>;
  /** Tells whether values read under the lease may still be taken for those that are stored. */
  isOurs(lease: Lease): boolean;
}

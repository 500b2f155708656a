import type { HeldRoots } from "../files/pinned-roots.ts";
import type { PathTurns } from "../graph/calls/path-turns.ts";
import type { AgentEventBody } from "../graph/events.ts";
import type { Settings } from "../graph/runtime.ts";
import type { TreeLimits } from "../graph/tree-limits.ts";
import type { Model } from "../model/port.ts";
import type { Mode } from "../policy/types.ts";
import type { ChildBounds } from "./child-bounds.ts";
import type { Origin } from "./event-stream.ts";
import type { OpenForms } from "./open-forms.ts";
import type { SentMessage } from "./sent-message.ts";

/** The things that a session that a call drives has of the one whose call that is. */
export interface Above extends ChildBounds {
  /** Rules and grants of this session are its own. */
  readonly root: string;
  /** The instructions about itself that it is given. */
  readonly instructions: string;
  /** Another model than its parent's, as a person names it; and limits of its own. */
  readonly model: string | undefined;
  readonly maxSteps: number | undefined;
  readonly maxCost: number | undefined;
  /** The model and the mode that the person has chosen by now. */
  settings(): Settings;
  readonly paths: PathTurns;
  /** Of its run. */
  limits(): TreeLimits | undefined;
}

/** The parts that a session is opened with. */
export interface Opening {
  readonly id: string;
  readonly workspace: string;
  /** As the person chose it last. */
  readonly model: string;
  readonly mode: Mode;
  /** A session that is not stored yet, or an older one. */
  readonly isNew: boolean;
  readonly takeOver: boolean;
  /** The first message of the person in a new session. */
  readonly first?: SentMessage;
  readonly pins: HeldRoots;
  readonly above?: Above;
  /** As `EventStream` has them. */
  emit(body: AgentEventBody, heard?: () => void, of?: Origin): void;
  allHeard(): Promise<void>;
  /** A new session is stored from now on: it has a name that can be gone on with, whatever fails after it. */
  stored(): void;
  /**
   * Has the one that drives it ask the person the questions of children while others of their call work; undefined where questions come at rest
   * alone.
   */
  readonly asksMeanwhile?: () => void;
  /** The forms by which its calls, and those that they drive, ask the person while they run; undefined where nobody can be asked. */
  readonly forms?: OpenForms;
  /** Tells the session its model. @returns what the person has chosen, whenever it is asked. */
  settingsWith(model: Model): () => Settings;
}

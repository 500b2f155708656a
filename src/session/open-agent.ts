import type { Mode } from "../policy/types.ts";
import { newSessionId } from "../store/sessions/session-id.ts";
import type { SessionRow } from "../store/types.ts";
import type { AgentParts } from "./agent-parts.ts";
import { DrivenSession } from "./driven-session.ts";
import type { Session } from "./session.ts";

export interface StartOptions {
  /** Absolute, symlinks resolved. */
  workspace: string;
  model: string;
  mode: Mode;
  /** Names the new session; a free one is made otherwise. */
  id?: string;
}

export interface ResumeOptions {
  /** Without one it is `ask`, and `plan` while a plan that was presented waits for the person. */
  mode?: Mode | undefined;
  model?: string;
  takeOver?: boolean;
  /** `session_restored` tells about so many of the last messages and calls, and how many are before them; all by default. */
  mostEntries?: number;
}

export interface DrivenAgent {
  /** A new session; nothing is stored before its first message, and `session_started` is told when that one is. */
  start(options: StartOptions): Session;
  /**
   * An old one, whose lease is taken. Emits `session_restored`; `proceed` goes on. A model that cannot be opened, for want of a key,
   * fails the turn that asks it: what waits is decided, undone and recovered without.
   * @throws TypeError for a session that a call drives: it goes on with the one of that call
   */
  resume(row: SessionRow, options: ResumeOptions): Promise<ResumedSession>;
}

export interface ResumedSession extends Session {
  /** Goes on with what waited, was cut off or queued. @returns false when there was nothing: then `turn_ended` tells again how the last turn ended. */
  proceed(): Promise<boolean>;
}

export function openAgent(parts: AgentParts): DrivenAgent {
  return {
    start: ({ id = newSessionId(), ...options }) =>
      new DrivenSession(parts, { id, ...options, isNew: true, takeOver: false }),
    async resume({ id, workspace, model, parent }, { takeOver = false, ...options }) {
      if (parent !== undefined) throw new TypeError(`session ${id} is driven by a call of ${parent}: resume that one`);
      const { mode } = options;
      const named = { id, workspace, model: options.model ?? model, mode: mode ?? "ask" };
      const session = new DrivenSession(parts, { ...named, isNew: false, takeOver });
      await session.restore(options.mostEntries, mode === undefined);
      return session;
    },
  };
}

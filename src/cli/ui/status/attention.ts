import { status as words } from "../../../words/en/status.ts";
import { cut } from "../../terminal/width.ts";
import type { View } from "../view/view.ts";

/** The means of calling the person back to a window that has no focus. */
export type Notify = "off" | "bell" | "osc";

/** The part of the screen's state that calls for the person. */
export interface Watched {
  view: View;
  /** The focus, as the terminal last told it; undefined where it never did. */
  focused: boolean | undefined;
  /** Milliseconds of the agent's work on the turn so far. */
  worked: number;
  /** The time of the person's last key. */
  lastKeyAt: number;
}

/** A turn that took longer ends with a call for the person. Milliseconds. */
const longTurn = 20_000;
/** A terminal that says nothing of its focus is taken for left after so long without a key. Milliseconds. */
const leftAfter = 20_000;

const waiting = ({ ask, recovery, forms }: View): number =>
  (ask?.requests.length ?? 0) + recovery.length + forms.length;

/** Cells of a session's title in the window's. */
const titleWidth = 40;

/** The terminal's title: the program, the folder's name, what the session is called, and what is to be known from another window. */
export function titleOf(view: View): string {
  const folder = view.workspace.split("/").at(-1) || "/";
  const state = waiting(view) > 0 ? ` – ${words().title.waiting}` : view.running ? ` – ${words().title.working}` : "";
  const title = view.title ? ` – ${cut(view.title, titleWidth)}` : "";
  return `agent – ${folder}${state}${title}`;
}

/**
 * Returns the reason to call the person back, in words; undefined where nothing calls or they look on. Once for a question that opens and
 * once for a long turn that ends.
 */
export function callFor(before: View, { view, focused, worked, lastKeyAt }: Watched, now: number): string | undefined {
  const looksOn = focused ?? now - lastKeyAt < leftAfter;
  if (looksOn) return undefined;
  if (waiting(view) > 0) return waiting(before) === 0 ? questionOf(view) : undefined;
  const ends = before.running && !view.running;
  return ends && worked >= longTurn ? words().turnEnded : undefined;
}

function questionOf(view: View): string {
  const { ask, recovery, forms } = view;
  const request = ask?.requests[0] ?? recovery[0];
  const more = waiting(view) - 1;
  const asks = forms[0] === undefined ? words().aCall : words().questionOf({ from: forms[0].from });
  const name = request === undefined ? asks : `${request.toolName} ${request.subject}`.trim();
  return words().asked({ what: name, more });
}

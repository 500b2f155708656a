import type { AgentEvent } from "../../../graph/events.ts";
import type { StatusPart } from "../../settings/status-parts.ts";
import type { DiffLook } from "../../terminal/diff-view.ts";
import type { Graphics } from "../../terminal/graphics.ts";
import { loadHighlighter } from "../../terminal/highlight.ts";
import { languageOf } from "../../terminal/language.ts";
import type { StyledLine } from "../../terminal/span.ts";
import { createLayouts, type Layouts } from "../question/body-lines.ts";
import { workedUntil } from "../status/turn-clock.ts";
import { type Preview, previewRows } from "../transcript/previews.ts";
import { Transcript } from "../transcript/transcript.ts";
import type { Item, View } from "../view/view.ts";
import { Anchor } from "./anchor.ts";
import type { Chat } from "./chat.ts";
import { modalOf } from "./chat-state.ts";
import { type Frame, liveFrame } from "./live-frame.ts";

const spinMs = 100;

/** The content to draw. */
export interface ScreenContent {
  /** The transcript so far, in pieces that are each written once. */
  pieces: StyledLine[][];
  frame: Frame;
}

export interface DrawingPorts {
  size(): { columns: number; rows: number };
  /** Milliseconds of one clock. */
  now(): number;
  /** The person's home folder, for which `~` stands. */
  home?: string | undefined;
  /** The parts that the last row shows. */
  statusLine?: readonly StatusPart[] | undefined;
  sideColumn?: "auto" | "off" | undefined;
  /** Writes finished rows above the live part, at once, and what draws a picture below them; false where the terminal is not ours now. */
  write(rows: StyledLine[], picture?: string): boolean;
  /** Another program or a full view has the terminal: nothing may be given to ink. */
  isLent(): boolean;
  /** Changed words stand in brackets: the terminal shows no colours. */
  brackets: boolean;
  /** A defect: nothing more can be drawn. */
  failed(error: unknown): void;
}

/** More finished rows than these go to the terminal past ink, which takes half a millisecond for each. */
const mostThroughInk = 50;

/** Something is shown of it, now or once it is done, that has the colours of a language. */
function hasCode(event: AgentEvent): boolean {
  switch (event.type) {
    case "approval_requested":
      return event.calls.some(
        ({ plan }) => plan.command !== undefined || plan.files?.some(({ real }) => languageOf(real) !== undefined),
      );
    case "tool_call":
      return "arguments" in event.call && Object.values(event.call.arguments).some(isCodeFile);
    default:
      return "text" in event && event.text?.includes("```") === true;
  }
}

const isCodeFile = (value: unknown): boolean =>
  typeof value === "string" && value.length < longestPath && languageOf(value) !== undefined;

const longestPath = 4_096;

// Keeps cli 3.
/** The content of the screen: one snapshot of the chat, made anew after each change, and by a spinner while something runs. */
export class Drawing {
  readonly #ports: DrawingPorts;
  #look: DiffLook;
  #layouts: Layouts;
  readonly #transcript = new Transcript();
  readonly #anchor = new Anchor();
  readonly #listeners = new Set<() => void>();
  #chat: Chat;
  #spin: NodeJS.Timeout | undefined;
  #redraw: NodeJS.Immediate | undefined;
  #tick = 0;
  #colors: Promise<void> | undefined;
  #snapshot: ScreenContent;
  /** The live part without the blank rows above it. */
  #laidOut: Frame;
  #ended = false;
  #pieces: StyledLine[][] = [];
  /** Rows that were taken from the transcript and could not be written yet. */
  #unwritten: StyledLine[] = [];
  /** They wait until the terminal is ours again, and the chat is shown anew. */
  #isStuck = false;
  #previews: { preview: Preview; graphics: Graphics }[] = [];

  constructor(ports: DrawingPorts, chat: Chat) {
    this.#ports = ports;
    this.#look = { brackets: ports.brackets };
    this.#layouts = createLayouts(this.#look);
    this.#chat = chat;
    this.#laidOut = this.#layOut();
    this.#snapshot = this.#held();
    this.#advance();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): ScreenContent => this.#snapshot;

  get frame(): Frame {
    return this.#snapshot.frame;
  }

  show(chat: Chat): void {
    if (this.#ended) return;
    this.#chat = chat;
    this.#spinning(chat.view.running);
    this.#snapshot = this.#draw();
    this.#redraw ??= setImmediate(this.#step);
  }

  /** Comes below what is finished then; never into a reply, and never moves a question. */
  preview(preview: Preview, graphics: Graphics): void {
    this.#previews.push({ preview, graphics });
    this.#again();
  }

  readonly #step = (): void => {
    this.#redraw = undefined;
    this.#guard(() => this.#advance());
    for (const listener of this.#listeners) listener();
    const more =
      this.#unwritten.length > 0 || !(this.#transcript.isDone(this.#chat.view.items) && this.#hasNoPreview());
    if (more && !this.#isStuck && !this.#ended) this.#redraw ??= setImmediate(this.#step);
  };

  /** The last snapshot: the transcript alone. Ends all timers. */
  end(view: View): void {
    this.#ended = true;
    clearInterval(this.#spin);
    clearImmediate(this.#redraw);
    const { screen, tooSmall } = this.frame;
    this.#ports.write([...this.#unwritten, ...this.#take(view.items, Number.POSITIVE_INFINITY)]);
    this.#snapshot = { pieces: this.#pieces, frame: { lines: [], parts: [], screen, tooSmall } };
    for (const listener of this.#listeners) listener();
  }

  /** The highlighter is heavy: it is loaded with the first code that comes. Code without colours is still code. */
  wantHighlight(events: readonly AgentEvent[]): void {
    if (this.#colors === undefined && events.some(hasCode)) void this.loadColors();
  }

  /** Resolves once code has its colours, or will have none. */
  loadColors(): Promise<void> {
    this.#colors ??= loadHighlighter().then(
      (highlight) => {
        this.lookAnew({ highlight });
      },
      () => undefined,
    );
    return this.#colors;
  }

  /** Draws the content of the screen in another look; rows that were written above it stay as they are. */
  lookAnew(change: Partial<DiffLook>): void {
    this.#look = { ...this.#look, ...change };
    this.#layouts = createLayouts(this.#look);
    this.#again();
  }

  #spinning(on: boolean): void {
    if (on === (this.#spin !== undefined)) return;
    clearInterval(this.#spin);
    this.#spin = on ? setInterval(() => this.#turn(), spinMs) : undefined;
  }

  #turn(): void {
    this.#tick += 1;
    // Nothing spins in a question: it is not drawn again for nothing.
    if (modalOf(this.#chat) === undefined) this.#again();
  }

  #again(): void {
    this.#guard(() => this.show(this.#chat));
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#ports.failed(error);
    }
  }

  #draw(): ScreenContent {
    this.#laidOut = this.#layOut();
    return this.#held();
  }

  #layOut(): Frame {
    const now = this.#ports.now();
    const seconds = Math.floor(workedUntil(this.#chat.clock, now) / 1000);
    const { home, statusLine, sideColumn } = this.#ports;
    const given = { layouts: this.#layouts, home, statusLine, sideColumn };
    const context = { ...this.#ports.size(), tick: this.#tick, seconds, now, ...given };
    return liveFrame(this.#chat, context);
  }

  #held(): ScreenContent {
    return { pieces: this.#pieces, frame: this.#anchor.held(this.#laidOut, this.#ports.size()) };
  }

  /**
   * Brings the next finished rows to the terminal: a few with the next frame, so that what was live moves up in one step, more of
   * them past ink. Only ever once in a turn of the event loop: what ink was given in the turn before is written by now.
   */
  #advance(): void {
    const rows = this.#unwritten.length > 0 ? this.#unwritten : this.#take(this.#chat.view.items);
    this.#unwritten = [];
    this.#isStuck = false;
    if (rows.length === 0) {
      this.#writePreview();
      return;
    }
    const isLong = rows.length > mostThroughInk;
    // What goes past ink pushes the blank rows down before it: they are filled by ink first.
    if (this.#ports.isLent() || (isLong && this.#anchor.blank === 0)) {
      this.#isStuck = !this.#write(rows);
      if (this.#isStuck) this.#unwritten = rows;
      return;
    }
    const piece = isLong ? rows.slice(0, Math.min(this.#anchor.blank, mostThroughInk)) : rows;
    this.#unwritten = rows.slice(piece.length);
    this.#pieces = [...this.#pieces, piece];
    this.#wrote(piece);
  }

  /** False where the terminal is not ours now. */
  #write(rows: StyledLine[], picture?: string): boolean {
    if (!this.#ports.write(rows, picture)) return false;
    this.#wrote(rows);
    return true;
  }

  #wrote(rows: StyledLine[]): void {
    this.#anchor.wrote(rows.length);
    this.#snapshot = this.#held();
  }

  #hasNoPreview(): boolean {
    const { tail } = this.#chat.view;
    return (
      this.#previews.length === 0 || tail !== undefined || modalOf(this.#chat) !== undefined || this.#ports.isLent()
    );
  }

  /** Writes the next preview; one that the window has no room for now is left out for good. */
  #writePreview(): void {
    if (this.#hasNoPreview()) return;
    const [next] = this.#previews;
    const drawn = next && previewRows(next.preview, next.graphics, this.#ports.size());
    if (drawn === undefined || this.#write(drawn.rows, drawn.sequence)) this.#previews.shift();
  }

  #take(items: readonly Item[], most?: number): StyledLine[] {
    return this.#transcript.take(items, this.#ports.size().columns, this.#look, most);
  }
}

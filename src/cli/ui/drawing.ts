import type { AgentEvent } from "../../graph/events.ts";
import { loadHighlighter } from "../terminal/highlight.ts";
import type { Highlight } from "../terminal/markdown-theme.ts";
import type { StyledLine } from "../terminal/span.ts";
import { createLayouts } from "./body-lines.ts";
import { type Chat, modalOf } from "./chat-state.ts";
import { type Frame, liveFrame } from "./live-frame.ts";
import { Transcript } from "./transcript.ts";
import type { View } from "./view.ts";

const spinMs = 100;

/** What there is to draw. */
export interface ScreenContent {
  /** The transcript so far, in pieces that are each written once. */
  pieces: StyledLine[][];
  frame: Frame;
}

export interface DrawingPorts {
  size(): { columns: number; rows: number };
  /** Milliseconds of one clock. */
  now(): number;
  /** A defect: nothing more can be drawn. */
  failed(error: unknown): void;
}

/** What is on the screen: one snapshot of the chat, made anew after each change, and by a spinner while something runs. */
export class Drawing {
  readonly #ports: DrawingPorts;
  readonly #layouts = createLayouts();
  readonly #transcript = new Transcript();
  readonly #listeners = new Set<() => void>();
  #chat: Chat;
  #spin: NodeJS.Timeout | undefined;
  #redraw: NodeJS.Immediate | undefined;
  #tick = 0;
  #since = 0;
  #highlight: Highlight | undefined;
  #highlightAsked = false;
  #snapshot: ScreenContent;
  #ended = false;
  /** Of what is finished not all is written yet. */
  #behind = false;

  constructor(ports: DrawingPorts, chat: Chat) {
    this.#ports = ports;
    this.#chat = chat;
    this.#snapshot = this.#draw();
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
    if (chat.view.running && !this.#chat.view.running) this.#since = this.#ports.now();
    this.#chat = chat;
    this.#spinning(chat.view.running);
    this.#snapshot = this.#draw();
    this.#redraw ??= setImmediate(() => {
      this.#redraw = undefined;
      for (const listener of this.#listeners) listener();
      if (this.#behind) this.#again();
    });
  }

  /** The last snapshot: the transcript alone. Ends all timers. */
  end(view: View): void {
    this.#ended = true;
    clearInterval(this.#spin);
    clearImmediate(this.#redraw);
    const { screen, tooSmall } = this.frame;
    while (this.#advance(view));
    this.#snapshot = { pieces: this.#transcript.pieces, frame: { lines: [], screen, tooSmall } };
    for (const listener of this.#listeners) listener();
  }

  /** The highlighter is heavy: it is loaded with the first code that comes. Code without colours is still code. */
  wantHighlight(events: readonly AgentEvent[]): void {
    if (this.#highlightAsked || !events.some((event) => "text" in event && event.text?.includes("```"))) return;
    this.#highlightAsked = true;
    loadHighlighter().then(
      (highlight) => {
        this.#highlight = highlight;
        this.#again();
      },
      () => undefined,
    );
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
    try {
      this.show(this.#chat);
    } catch (error) {
      this.#ports.failed(error);
    }
  }

  #draw(): ScreenContent {
    const seconds = Math.floor((this.#ports.now() - this.#since) / 1000);
    const context = { ...this.#ports.size(), tick: this.#tick, seconds, layouts: this.#layouts };
    this.#behind = this.#advance(this.#chat.view);
    return { pieces: this.#transcript.pieces, frame: liveFrame(this.#chat, context) };
  }

  #advance({ items }: View): boolean {
    return this.#transcript.advance(items, this.#ports.size().columns, this.#highlight);
  }
}

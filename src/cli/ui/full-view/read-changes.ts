import type { Change } from "../../../files/diff/diff-text.ts";
import type { Io } from "../../io.ts";
import { colorSupport, toAnsi } from "../../terminal/colors.ts";
import type { DiffLook } from "../../terminal/diff-view.ts";
import { FullScreen } from "../../terminal/full-screen.ts";
import { loadHighlighter } from "../../terminal/highlight.ts";
import type { Key } from "../../terminal/key.ts";
import { type Theme, type ThemeChoice, themeOf } from "../../terminal/theme.ts";
import { openTty, type Tty } from "../../terminal/tty.ts";
import { createLayouts } from "../question/body-lines.ts";
import { changesText } from "./changes-text.ts";
import { type FullFrame, fullFrame } from "./full-frame.ts";
import { newReader, type Reader, readerKey, searchOn } from "./reader-state.ts";

/** The changes that are read, with their title and theme. */
interface Subject {
  title: string;
  changes: readonly Change[];
  theme: ThemeChoice;
}

/** Lets the person read changes on the whole screen, without a chat. Resolves when they leave; the terminal is then as it was. */
export async function readChanges({ stdin, stdout, env }: Io, { title, changes, theme }: Subject): Promise<void> {
  const tty = openTty({ stdin, stdout, env });
  const support = colorSupport(env, true);
  let colours: Theme = themeOf(theme, env, support.color);
  let look: DiffLook = { brackets: colours.name === "none" };
  let text = changesText(title, changes, createLayouts(look));
  let reader = newReader();
  let frame: FullFrame | undefined;
  let searching: NodeJS.Immediate | undefined;
  const screen = new FullScreen(tty, (painted) => stdout.write(painted));
  const draw = (next: Reader = reader): void => {
    reader = next;
    frame = fullFrame(reader, text, { columns: tty.columns, rows: tty.rows });
    const rows = frame.lines.map((line) => toAnsi(line, support, colours));
    screen.paint({ rows, ...(frame.cursor && { cursor: frame.cursor }) });
    if (reader.search !== undefined) searching ??= setImmediate(goOn);
  };
  /** A long search takes a turn of the event loop after the other, so that keys come in between. */
  const goOn = (): void => {
    searching = undefined;
    if (frame !== undefined && reader.search !== undefined) draw(searchOn(reader, frame.text));
  };
  const redraw = (): void => {
    screen.forget();
    draw();
  };
  const lookAnew = (change: Partial<DiffLook>): void => {
    look = { ...look, ...change };
    text = changesText(title, changes, createLayouts(look));
    redraw();
  };
  try {
    draw();
    if (theme === "auto" && (colours.name === "dark" || colours.name === "light"))
      tty.onBackground((color) => {
        colours = themeOf(theme, env, support.color, color);
        redraw();
      });
    // Code without colours is still code.
    loadHighlighter().then(
      (highlight) => lookAnew({ highlight }),
      () => undefined,
    );
    await left(tty, redraw, (key) => {
      const step = frame && readerKey(reader, key, frame.text);
      if (step?.leaves === true) return true;
      if (step !== undefined) draw(step.reader);
      return false;
    });
  } finally {
    clearImmediate(searching);
    screen.close();
    tty.restore();
  }
}

/** Resolves with the key after which the person is gone, with Ctrl-C, or when the terminal is. */
function left(tty: Tty, redraw: () => void, leaves: (key: Key) => boolean): Promise<void> {
  return new Promise((resolve) => {
    tty.onClose(resolve);
    tty.onResize(redraw);
    tty.onResume(redraw);
    tty.onKey((key) => {
      const control = key.name === "char" && key.ctrl ? key.text : undefined;
      if (control === "z") tty.suspend();
      else if (control === "c" || leaves(key)) resolve();
    });
  });
}

import type { SessionShelf } from "../../services/session-services.ts";
import { colorSupport, toAnsi } from "../../terminal/colors.ts";
import { FullScreen } from "../../terminal/full-screen.ts";
import type { Key } from "../../terminal/key.ts";
import { type ThemeChoice, themeOf } from "../../terminal/theme.ts";
import type { Tty } from "../../terminal/tty.ts";
import { pickerFrame } from "./picker-frame.ts";
import { newPicker, type Picker, pickerKey } from "./picker-state.ts";
import { type Opened, type ShelfWork, served } from "./session-shelf.ts";

export interface PickOptions {
  tty: Tty;
  stdout: Pick<NodeJS.WriteStream, "write">;
  env: Readonly<Record<string, string | undefined>>;
  theme: ThemeChoice;
  /** Whose sessions these are. */
  workspace: string;
  shelf: SessionShelf;
  opened: Opened;
}

/** The list of sessions on the terminal's other screen, before there is a chat. @returns the chosen one; undefined where the person left. */
export function pickSession(options: PickOptions): Promise<string | undefined> {
  return new Picking(options).run();
}

class Picking {
  readonly #options: PickOptions;
  readonly #screen: FullScreen;
  readonly #paint: (picker: Picker) => number;
  #picker: Picker;
  /** Sessions on the screen. */
  #window = 0;
  #end: (id: string | undefined) => void = () => undefined;
  #fail: (error: unknown) => void = () => undefined;
  /** One thing is done after the other. */
  #work: Promise<void> = Promise.resolve();

  constructor(options: PickOptions) {
    this.#options = options;
    const { tty, stdout, env } = options;
    this.#picker = newPicker({ ...options.opened, present: undefined });
    this.#screen = new FullScreen(tty, (text) => void stdout.write(text));
    this.#paint = painterOf(options, this.#screen, env["HOME"]);
  }

  async run(): Promise<string | undefined> {
    const { tty } = this.#options;
    const ended = new Promise<string | undefined>((resolve, reject) => {
      this.#end = resolve;
      this.#fail = reject;
    });
    this.#show(this.#picker);
    const again = (): void => {
      this.#screen.forget();
      this.#show(this.#picker);
    };
    const subscriptions = [
      tty.onResize(again),
      tty.onResume(again),
      tty.onClose(() => this.#end(undefined)),
      tty.onKey((key) => this.#key(key)),
    ];
    try {
      return await ended;
    } finally {
      for (const unsubscribe of subscriptions) unsubscribe();
      this.#screen.close();
    }
  }

  #key(key: Key): void {
    if (key.name === "char" && key.ctrl && key.text === "z") {
      this.#options.tty.suspend();
      return;
    }
    const { picker, effect } = pickerKey(this.#picker, key, this.#window);
    this.#show(picker);
    if (effect?.do === "choose") this.#end(effect.id);
    else if (effect?.do === "back") this.#end(undefined);
    else if (effect !== undefined) this.#serve(effect);
  }

  #serve(work: ShelfWork): void {
    this.#work = this.#work.then(async () => {
      const change = await served(this.#options.shelf, work, this.#picker.all);
      this.#show(change(this.#picker));
    });
    this.#work.catch((error: unknown) => this.#fail(error));
  }

  #show(picker: Picker): void {
    this.#picker = picker;
    this.#window = this.#paint(picker);
  }
}

/** @returns how many sessions are on the screen then. */
function painterOf({ tty, env, theme, workspace }: PickOptions, screen: FullScreen, home: string | undefined) {
  const support = colorSupport(env, true);
  const colours = themeOf(theme, env, support.color);
  return (picker: Picker): number => {
    const { columns, rows } = tty;
    const { lines, cursor, geometry } = pickerFrame(picker, { columns, rows, now: Date.now(), workspace, home });
    screen.paint({ rows: lines.map((line) => toAnsi(line, support, colours)), ...(cursor && { cursor }) });
    return geometry.window;
  };
}

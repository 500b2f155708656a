export interface Key {
  name: KeyName;
  /** The grapheme of a `char`, the whole text of a `paste` (line ends as \n), the raw bytes of a `reply` or `unknown`. */
  text?: string;
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
}

/**
 * `char` with `ctrl` is a control letter, always lower case: Ctrl-C is `{name: "char", text: "c", ctrl: true}`; Ctrl-J (a line
 * feed) is `j` with `ctrl`. `reply` is an answer of the terminal to a question, `unknown` a sequence without a meaning here.
 */
export type KeyName =
  | "char"
  | "enter"
  | "escape"
  | "backspace"
  | "delete"
  | "insert"
  | "tab"
  | "up"
  | "down"
  | "left"
  | "right"
  | "home"
  | "end"
  | "pageup"
  | "pagedown"
  | `f${number}`
  | "paste"
  | "focus-in"
  | "focus-out"
  | "reply"
  | "unknown";

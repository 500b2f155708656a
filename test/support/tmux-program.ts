// Opens a program in tmux, and stays: for what becomes of that where it is killed.
import { openTmux } from "./tmux.ts";

const [, , command = "true", ...args] = process.argv;
openTmux({ command, args });
setInterval(() => undefined, 60_000);

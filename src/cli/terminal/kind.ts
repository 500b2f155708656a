/** Asks a terminal what it is (DA2). Those that do not know are silent. */
export const askKind = "\x1b[>c";

/** Whether an answer to `askKind` is the one that xterm.js gives: the terminal of VS Code and of most pages in a browser. */
export const isXtermJs = (reply: string): boolean => reply === "\x1b[>0;276;0c";

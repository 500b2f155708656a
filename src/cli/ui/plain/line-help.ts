import { plain as words } from "../../../words/en/plain.ts";
import { commandHelp } from "../composer/slash-commands.ts";

/** The text of `/help` here: the same commands, and what the keys of a line do. */
export const lineHelp = (): string => [commandHelp(), "", ...words().help].join("\n");

import { theme as words } from "../../../words/en/theme.ts";
import { themeChoices } from "../../terminal/theme.ts";
import { cleanLine } from "../safe-text.ts";
import { themeOpening } from "../theme/theme-surface.ts";
import { type Command, say } from "./commanded-chat.ts";

/** `/theme`: a list on the screen, which shows each as it is pointed at; `/theme NAME` keeps that one at once, in plain lines too. */
export const themeCommand: Command = {
  name: "theme",
  async run(argument, chat) {
    const screen = chat.theme?.();
    if (screen?.hasColors === false) return say(chat, words().noColors, "warn");
    if (argument === "" && screen !== undefined && chat.open !== undefined) {
      await chat.loadColors();
      return chat.open(themeOpening(screen.choice));
    }
    const { about } = chat.services;
    if (argument === "") return say(chat, words().now({ theme: about.theme(), themes: themeChoices }));
    const theme = themeChoices.find((one) => one === argument);
    if (theme === undefined)
      return say(chat, words().unknown({ theme: cleanLine(argument), themes: themeChoices }), "warn");
    chat.hands().paintIn?.(theme);
    say(chat, words().kept({ theme, file: cleanLine(await about.keepTheme(theme)) }));
  },
};

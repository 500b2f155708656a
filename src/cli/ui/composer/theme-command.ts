import { theme as words } from "../../../words/en/theme.ts";
import { themeChoices } from "../../terminal/theme.ts";
import { cleanLine } from "../safe-text.ts";
import { type Command, say } from "../surface/commanded-chat.ts";
import { keepTheme, themeOpening } from "../theme/theme-surface.ts";

/** `/theme`: a list on the screen, which shows each as it is pointed at; `/theme NAME` keeps that one at once, in plain lines too. */
export const themeCommand: Command = {
  name: "theme",
  async run(argument, chat) {
    const screen = chat.theme?.();
    if (screen?.hasColors === false) return say(chat, words().noColors, "warn");
    if (argument === "") {
      await chat.loadColors();
      return chat.open(themeOpening(screen?.choice ?? chat.services.about.theme()));
    }
    const theme = themeChoices.find((one) => one === argument);
    if (theme === undefined)
      return say(chat, words().unknown({ theme: cleanLine(argument), themes: themeChoices }), "warn");
    await keepTheme(theme, chat.hands());
  },
};

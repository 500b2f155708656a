import { withoutEnd } from "../../../core/linear-text.ts";
import type { Effects } from "../surface/surface.ts";
import { type Composer, type ComposerEffect, withDraft, withFiles, withMessages } from "./composer-state.ts";

/** What the input asks for beside sending what is written. */
export const composerEffects: Effects<Composer, Exclude<ComposerEffect, { do: "submit" }>> = {
  async recall(_, { state, set, services, session }) {
    const history = state()?.buffer.history ?? [];
    const said = await services.folder.earlierMessages(session().workspace);
    const messages = [...new Set([...history.toReversed(), ...said])];
    set((composer) => withMessages(composer, messages));
  },
  async compose({ text: draft }, { set, edit, flash }) {
    const text = await edit(draft, "message.md");
    if (text === undefined) return flash("the editor failed: the message is as it was");
    set((composer) => withDraft(composer, withoutEnd(text, "\n")));
  },
  async complete({ prefix }, { set, services, session }) {
    const files = await services.folder.files(session().workspace, prefix);
    set((composer) => withFiles(composer, prefix, files));
  },
};

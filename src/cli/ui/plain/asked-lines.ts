import { type AskedInLines, askedInLines } from "../chat/surfaces.ts";
import type { View } from "../view/view.ts";

type Said = Exclude<ReturnType<AskedInLines["said"]>, { draft: unknown }> | { next: true };

/** The question in front, and what the lines so far came to, of one that is answered in several. */
export class AskedLines {
  #draft: unknown;

  in(view: View): (Omit<AskedInLines, "said"> & { said(line: string): Said }) | undefined {
    const asked = askedInLines(view, this.#draft);
    return asked && { ...asked, said: (line) => this.#kept(asked.said(line)) };
  }

  #kept(said: ReturnType<AskedInLines["said"]>): Said {
    if (!("draft" in said)) return said;
    this.#draft = said.draft;
    return { next: true };
  }
}

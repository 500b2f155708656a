import type { Session } from "../../../session/session.ts";
import { modes } from "../../../words/en/modes.ts";
import { whenText } from "../../print/moments.ts";
import type { Welcome } from "../../services/session-services.ts";
import { standing } from "../picker/picker-state.ts";
import { cleanLine } from "../safe-text.ts";
import { initialView, type OfferedSession, type View } from "../view/view.ts";
import { tildePath } from "../view/view-state.ts";
import type { ChatOptions } from "./chat-options.ts";

/** The part above the talk, safe to draw. */
export interface Banner {
  banner: string[];
  /** In a chat in which nothing was said yet. */
  isNew?: boolean;
  offered: readonly OfferedSession[];
}

export const noBanner: Banner = { banner: [], offered: [] };

/** A session as it is before its first event. */
export const firstView = (
  { model, mode }: Pick<ChatOptions, "model" | "mode">,
  { id, workspace }: Pick<Session, "id" | "workspace">,
  banner = noBanner,
): View => initialView({ session: id, workspace, model, mode, ...banner });

/** Makes the banner: the program and its place; in a chat that is new, its mode and the sessions that it can go over to. */
export function bannerOf(options: ChatOptions): Banner {
  const { version, announce, welcome, mode } = options;
  const lines = [
    `holdfast ${version}`,
    placeOf(options),
    ...(welcome === undefined ? [] : [`${mode}: ${modes()[mode]}`]),
    ...(announce === undefined ? [] : announce.split("\n")),
  ];
  const banner = lines.map(cleanLine);
  return welcome === undefined
    ? { banner, offered: [] }
    : { banner, isNew: true, offered: offeredOf(welcome, Date.now()) };
}

const placeOf = ({ model, env, session, welcome }: ChatOptions): string => {
  const branch = welcome?.branch === undefined ? "" : ` (${welcome.branch})`;
  return `${model} · ${tildePath(session.workspace, env["HOME"])}${branch} · ${session.id}`;
};

const offeredOf = ({ offered }: Welcome, now: number): OfferedSession[] =>
  offered.map(({ look, ...row }) => ({
    id: row.id,
    title: cleanLine(row.title),
    about: [whenText(row.updatedAt, now), ...standing(row, look, undefined)].map(cleanLine).join(", "),
  }));

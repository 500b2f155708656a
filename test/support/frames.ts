import { plainText, type StyledLine } from "../../src/cli/terminal/span.ts";
import { type Chat, newChat } from "../../src/cli/ui/chat/chat.ts";
import { withEvents } from "../../src/cli/ui/chat/chat-state.ts";
import { type Frame, liveFrame } from "../../src/cli/ui/chat/live-frame.ts";
import { type SurfaceName, surfaceNames } from "../../src/cli/ui/chat/surfaces.ts";
import { turnTo } from "../../src/cli/ui/form/form-state.ts";
import { createLayouts } from "../../src/cli/ui/question/body-lines.ts";
import { initialView } from "../../src/cli/ui/view/view.ts";
import type { AgentEventBody } from "../../src/graph/events.ts";
import { askedForm, eventOf } from "./fake-session.ts";

export const idle = newChat(
  initialView({ session: "s1", workspace: "/home/ada/proj", model: "demo", mode: "ask", banner: [] }),
  [],
);

/** The chat after these events. */
export const having = (...bodies: AgentEventBody[]): Chat =>
  withEvents(
    idle,
    bodies.map((body) => eventOf(body)),
    0,
  );

const answers = [
  "Crash at start, where the folder that it is begun in has no name of its own",
  "",
  "8",
  "no",
  "t1",
  "1, 3",
];

/** What a server asks, on a page of it: 0 what it is, then its fields, each with an answer, and behind them what goes out. */
export function filling(page = 0): Chat {
  const chat = having({ type: "form_requested", callId: "c1", form: 1, asked: askedForm() });
  const { form } = chat.open;
  if (page === 0 || form === undefined) return chat;
  return { ...chat, open: { ...chat.open, form: turnTo({ ...form, armed: true, texts: answers }, page) } };
}

const plainLayouts = createLayouts();

/** When everything is drawn: a Saturday, by the clock of this place. */
export const drawnAt = new Date(2026, 10, 21, 12, 0).getTime();

export const draw = (chat: Chat, columns: number, rows: number, layouts = plainLayouts): Frame =>
  liveFrame(chat, { columns, rows, tick: 0, seconds: 5, now: drawnAt, layouts });

/** Rows as a person reads them: what tints a row to its end is not there. */
export const text = (lines: StyledLine[]): string => lines.map((line) => plainText(line).trimEnd()).join("\n");

/** The surfaces that are open, the input among them. */
export const openIn = ({ open }: Chat): SurfaceName[] => surfaceNames.filter((name) => open[name] !== undefined);

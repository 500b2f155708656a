import type { BaseMessage } from "@langchain/core/messages";
import { undoToolName } from "../../core/call.ts";
import { nameIn, refOf } from "../../core/call-ref.ts";
import { doneText, goalLines } from "../../core/goal-lines.ts";
import { goalWork } from "../../core/goals.ts";
import { isSameStep } from "../../core/step-id.ts";
import { recordedGoals } from "../../graph/ended-calls.ts";
import { hookWords } from "../../graph/talk/hook-words.ts";
import { wordsOf } from "../../graph/talk/no-words.ts";
import { imagesIn } from "../../graph/talk/show-images.ts";
import type { ChildRow, JournalReading, SessionRow, Store, TurnRow } from "../../store/types.ts";
import { cells } from "../../words/en/cells.ts";
import { sessionPage as words } from "../../words/en/session-page.ts";
import { commandAgain, saidAgain, titleAgain } from "../../words/said-again.ts";
import { eventsByCall } from "../call-life.ts";
import { eachStep, type RecordedStep } from "../recorded-turns.ts";
import { agentOf } from "../session-progress.ts";
import { undoneCalls } from "../undo/undone-calls.ts";
import { callParts, type PageWords } from "./call-parts.ts";
import type { PagePart, Speaker } from "./page-part.ts";

type Reading = Pick<Store, "sessions" | "readJournal">;

interface Page {
  store: Reading;
  /** The session that the page is of. */
  home: string;
  undone: ReadonlyMap<string, string>;
  moments: PageWords;
}

/** Yields the talk and the calls of a session and of those that its calls drive, each step read when it is asked for. */
export function* sessionParts(store: Reading, row: SessionRow, moments: PageWords): Generator<PagePart> {
  const journal = store.readJournal(row.id);
  const undone = undoneCalls(journal.succeeded(undoToolName).map(({ call }) => call));
  yield { kind: "title", text: row.title };
  yield { kind: "facts", rows: headRows(row, moments) };
  yield* talkParts({ store, home: row.id, undone, moments }, journal);
}

function headRows({ id, model, workspace, state, forkedFrom, ...row }: SessionRow, { moment }: PageWords): string[] {
  const { createdAt, updatedAt, inputTokens: read, outputTokens: written } = row;
  const said = words();
  return [
    said.session({ session: id, model, state }),
    said.inFolder({ workspace }),
    said.figures({ started: moment(createdAt), last: moment(updatedAt), read, written }),
    ...(forkedFrom === undefined ? [] : [forkText(forkedFrom)]),
  ];
}

const forkText = ({ session, at }: NonNullable<SessionRow["forkedFrom"]>): string =>
  at === undefined || at === "" ? cells().forkedFrom({ session }) : cells().forkedAt({ session, at });

function* talkParts(page: Page, journal: JournalReading): Generator<PagePart> {
  const goals = recordedGoals(page.store, journal.session);
  if (goals.length > 0) {
    const done = titleAgain("goal", doneText(goals));
    const lines = goalLines(goals).map((line) => titleAgain("a goal", line));
    yield { kind: "text", label: words().plan({ done }), text: lines.join("\n") };
  }
  const events = eventsByCall(journal);
  for (const turn of journal.turns()) {
    if (turn.state === "queued") continue;
    yield { kind: "open", what: "turn", title: words().turn({ turn: turn.turn }) };
    yield* said("person", commandAgain(turn.text), journal.turnMessage(turn.turn));
    let steps = 0;
    for (const step of eachStep(journal, turn.turn)) {
      steps += 1;
      yield* stepParts(page, journal, step, events);
    }
    for (const { step, text, message } of journal.steers())
      if (step?.turn === turn.turn && step.step > steps) yield* said("steer", text, message);
    yield* endParts(turn);
    yield { kind: "close" };
  }
}

function* stepParts(
  page: Page,
  journal: JournalReading,
  { id, steers, message, calls }: RecordedStep,
  events: ReturnType<typeof eventsByCall>,
): Generator<PagePart> {
  for (const { text, message: told } of steers) yield* said("steer", text, told);
  yield* said("agent", wordsOf(message), message);
  for (const call of calls) {
    const { callId } = call;
    const { home, moments } = page;
    const life = {
      session: journal.session,
      call,
      events: events.get(callId) ?? [],
      answers: journal.answersOf(callId),
    };
    const undoneBy = page.undone.get(nameIn(home, refOf(life)));
    const helpers = page.store.sessions.children(journal.session, callId);
    yield* callParts({ life, journal, home, undoneBy, words: moments }, () => helperParts(page, helpers));
  }
  const told = journal
    .hookRuns()
    .flatMap((run) => (isSameStep(run.step, id) ? hookWords.told(run) : []))
    .map((line) => saidAgain(line));
  if (told.length > 0) yield { kind: "facts", rows: told };
}

function* helperParts(page: Page, helpers: readonly ChildRow[]): Generator<PagePart> {
  for (const helper of helpers) {
    yield { kind: "open", what: "helper", title: `${agentOf(helper)} · ${helper.id}` };
    const work = goalWork(helper.spec);
    if (work !== undefined) yield { kind: "facts", rows: [words().worksFor({ goal: work.goal, mode: work.mode })] };
    yield* talkParts(page, page.store.readJournal(helper.id));
    yield { kind: "close" };
  }
}

function* said(who: Speaker, text: string, message: BaseMessage): Generator<PagePart> {
  if (text !== "") yield { kind: "words", who, text };
  const pictures = imagesIn(message).map(({ name, mediaType: type }) => words().picture({ name, type }));
  if (pictures.length > 0) yield { kind: "facts", rows: pictures };
}

/** Nothing of a turn that came to its own end. */
function* endParts({ state, reason = "done" }: TurnRow): Generator<PagePart> {
  if (reason !== "done") yield { kind: "facts", rows: [words().turnEnded({ reason })] };
  else if (state === "running") yield { kind: "facts", rows: [words().notEnded] };
}

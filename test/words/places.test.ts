import { describe, expect, it } from "vitest";
import { cells } from "../../src/cli/terminal/width.ts";
import { shellDoubts } from "../../src/words/contract/shell-doubts.ts";
import { shellReaders } from "../../src/words/contract/shell-readers.ts";
import { shellRisks } from "../../src/words/contract/shell-risks.ts";
import { shellRuns } from "../../src/words/contract/shell-runs.ts";
import { agents } from "../../src/words/en/agents.ts";
import { chat } from "../../src/words/en/chat.ts";
import { composer } from "../../src/words/en/composer.ts";
import { dialog } from "../../src/words/en/dialog.ts";
import { form } from "../../src/words/en/form.ts";
import { fullView } from "../../src/words/en/full-view.ts";
import { grants } from "../../src/words/en/grants.ts";
import { jobs } from "../../src/words/en/jobs.ts";
import { keyChoice } from "../../src/words/en/key-choice.ts";
import { palette } from "../../src/words/en/palette.ts";
import { picker } from "../../src/words/en/picker.ts";
import { plain } from "../../src/words/en/plain.ts";
import { question } from "../../src/words/en/question.ts";
import { recovery } from "../../src/words/en/recovery.ts";
import { rewind } from "../../src/words/en/rewind.ts";
import { rule } from "../../src/words/en/rule.ts";
import { status } from "../../src/words/en/status.ts";
import { talk } from "../../src/words/en/talk.ts";
import { theme } from "../../src/words/en/theme.ts";
import { transcript } from "../../src/words/en/transcript.ts";
import { view } from "../../src/words/en/view.ts";
import { speak } from "../../src/words/room.ts";
import * as chinese from "../../src/words/zh/index.ts";

/** Of the narrowest window that people are known to work in. */
const columns = 60;
/** Right of a hint: where the list stands, "  12 of 345". */
const position = 11;
/** Left of a choice: the pointer and its key. */
const choice = 6;

const isPlain = (said: unknown): said is string => typeof said === "string";

const places = (): readonly [place: string, room: number, texts: readonly string[]][] => [
  ["a title", columns - 2, [recovery().title, rewind().title, rule().title, picker().ofAll]],
  ["a list's hint", columns - position, [agents().listHint, jobs().listHint, palette().hint, rewind().listHint]],
  [
    "a hint",
    columns,
    [
      ...[recovery().hint, recovery().helperHint, rule().hint, jobs().readHint],
      ...[dialog().fieldHint, dialog().whyHint, dialog().listHint, dialog().confirm],
      ...[`❯ ${composer().hint}`],
    ],
  ],
  [
    "the shortest of several hints",
    columns - position,
    [
      ...[talk().hints, picker().hints, fullView().hints, dialog().readHints({ edit: true })],
      ...Object.values(form().hints),
    ].map((one) => one.at(-1) ?? ""),
  ],
  ["what runs", columns, [`⠋ ${status().working({ time: "9 min 59 s" })} · ${status().stopsAndTakesBack}`]],
  ["a question that one key answers", columns - position, [agents().stop, jobs().stop]],
  ["the short form of one", columns, [picker().removeShort]],
  ["what is flashed, in three rows", 3 * (columns - 2), Object.values(chat()).filter(isPlain)],
  [
    "a choice",
    columns - choice,
    [recovery().choices, rewind().choices, dialog().labels, dialog().planLabels].flatMap((one) => Object.values(one)),
  ],
];

describe.each([
  ["in English", undefined],
  ["in Chinese", chinese],
])("%s", (_, words) => {
  speak(words);
  const inThese = places();
  speak(undefined);
  it.each(inThese)("%s fits its place at 60 columns", (_place, room, texts) => {
    expect(texts.filter((text) => text === "" || cells(text) > room)).toEqual([]);
  });
});

it("why a command is asked about takes no more of a screen in Chinese than in English", () => {
  const about = new Proxy({}, { get: () => "x" });
  const width = (words: unknown): number =>
    cells(typeof words === "function" ? String((words as (data: object) => unknown)(about)) : String(words));
  const contracts: readonly (readonly [english: object, twin: Readonly<Record<string, unknown>>])[] = [
    [shellReaders, chinese.shellReaders],
    [shellRisks, chinese.shellRisks],
    [shellRuns, chinese.shellRuns],
    [shellDoubts, chinese.shellDoubts],
  ];
  const wider = contracts.flatMap(([english, twin]) =>
    Object.entries(english)
      .filter(([code, said]) => width(twin[code]) > width(said))
      .map(([code]) => code),
  );
  expect(wider).toEqual([]);
});

/** The rooms that a screen draws, by their names. */
const drawn: Readonly<Record<string, () => object>> = {
  ...{ agents, chat, composer, dialog, form, fullView, grants, jobs, keyChoice, palette, picker, plain },
  ...{ question, recovery, rewind, rule, status, talk, theme, transcript, view },
};

/** What stands in one row: a title, a hint, a cell, a choice, a state. */
const inOneRow = /hint|title|head|label|choice|short|state|menu|ends|marks|keys/iu;
/** A word of a column: what is shorter than this gets its place whatever it says. */
const word = 8;

/** The texts of a room that stand in one row, with their twins, by the way to each. */
function rowsIn(path: string, english: unknown, other: unknown): [path: string, english: string, other: string][] {
  if (typeof english === "object" && english !== null)
    return Object.entries(english).flatMap(([name, said]) =>
      rowsIn(`${path}.${name}`, said, (other as Readonly<Record<string, unknown>> | undefined)?.[name]),
    );
  const said = (text: unknown): string =>
    typeof text === "function"
      ? String((text as (about: object) => unknown)(new Proxy({}, { get: () => ["x", "y"] })))
      : String(text);
  return inOneRow.test(path) ? [[path, said(english), said(other)]] : [];
}

it("what stands in one row of a screen is no wider in Chinese than in English", () => {
  const twins = chinese as unknown as Readonly<Record<string, unknown>>;
  const rows = Object.entries(drawn).flatMap(([name, room]) => rowsIn(name, room(), twins[name]));
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter(([, english, other]) => cells(other) > Math.max(word, cells(english)))).toEqual([]);
});

it("a title of a call, and the words of a session's state, take no more of a row than a word beyond the English", () => {
  const bare = (text: string): number => cells(text.replace(/\{\w+\}/gu, "x"));
  const inRows = Object.entries(chinese.titles).filter(([tool]) => !/ shows$|^a change$|answer$/u.test(tool));
  const wider = inRows.flatMap(([tool, table]) =>
    Object.entries(table)
      .filter(([english, other]) => bare(other) > bare(english) + word / 2)
      .map(([english]) => [tool, english]),
  );
  expect(wider).toEqual([]);
});

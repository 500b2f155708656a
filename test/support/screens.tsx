import { renderToString } from "ink";
import type { AgentLine, SessionLine, SessionLook } from "../../src/cli/services/session-services.ts";
import { toAnsi } from "../../src/cli/terminal/colors.ts";
import type { DiffLook } from "../../src/cli/terminal/diff-view.ts";
import type { Key } from "../../src/cli/terminal/key.ts";
import type { Highlight } from "../../src/cli/terminal/markdown-theme.ts";
import { plainText, type StyledLine } from "../../src/cli/terminal/span.ts";
import { setText } from "../../src/cli/terminal/text-buffer.ts";
import { newAgentList, openedTalk } from "../../src/cli/ui/agents/agents-state.ts";
import type { Chat } from "../../src/cli/ui/chat/chat.ts";
import { press } from "../../src/cli/ui/chat/chat-state.ts";
import { Live } from "../../src/cli/ui/chat/live.tsx";
import type { Part } from "../../src/cli/ui/chat/live-frame.ts";
import { withPainted } from "../../src/cli/ui/chat/out-of-sight.ts";
import type { SurfaceName } from "../../src/cli/ui/chat/surfaces.ts";
import { withFiles } from "../../src/cli/ui/composer/composer-state.ts";
import { unknownCommandText } from "../../src/cli/ui/composer/slash-commands.ts";
import { type Paint, Painting } from "../../src/cli/ui/draw/rows.tsx";
import { newReader } from "../../src/cli/ui/full-view/reader-state.ts";
import { newGrantList } from "../../src/cli/ui/grants/grants-state.ts";
import { newJobList } from "../../src/cli/ui/jobs/jobs-state.ts";
import { type Entry, newPalette } from "../../src/cli/ui/palette/palette-state.ts";
import { newPicker } from "../../src/cli/ui/picker/picker-state.ts";
import { createLayouts } from "../../src/cli/ui/question/body-lines.ts";
import { newRewinding } from "../../src/cli/ui/rewind/rewind-state.ts";
import { ruleOpening } from "../../src/cli/ui/rule/rule-surface.ts";
import { newTalk } from "../../src/cli/ui/talk/talk-state.ts";
import { newThemeList } from "../../src/cli/ui/theme/theme-state.ts";
import { Transcript } from "../../src/cli/ui/transcript/transcript.ts";
import { Written } from "../../src/cli/ui/transcript/written.tsx";
import type { AskedCall, Card, CardState, Item } from "../../src/cli/ui/view/view.ts";
import { withItems } from "../../src/cli/ui/view/view-state.ts";
import { changesOf } from "../../src/files/diff/diff-text.ts";
import type { AgentEventBody, UnsettledCall } from "../../src/graph/events.ts";
import type { RewindPoint } from "../../src/records/undo/rewind.ts";
import { palette as paletteWords } from "../../src/words/en/palette.ts";
import { askedForm, fakeId, longPlan, planOf, smallPlan, waitingEdit, waitingPlan } from "./fake-session.ts";
import { draw, drawnAt, filling, having, idle, openIn } from "./frames.ts";
import { keyBytes } from "./pty.ts";

/** Widths and heights that everything is drawn at. */
export const sizes = [
  [100, 30],
  [60, 20],
  [42, 10],
] as const;

/** Where there is a column beside the live part. */
const wide = [160, 50] as const;

export type Size = (typeof sizes)[number] | typeof wide;

/** One state of one part of the screen. */
interface Scene {
  state: string;
  chat: Chat;
  /** Pressed one after the other, each on the screen that the one before left. */
  keys?: readonly (string | Partial<Key>)[];
}

const char = (text: string): Partial<Key> => ({ name: "char", text });
const typed = (text: string): Partial<Key>[] => [...text].map(char);

/** `down`, `ctrl-s`, or one character. */
function keyOf(key: string | Partial<Key>): Key {
  const plain = { name: "char", ctrl: false, alt: false, shift: false } as const;
  if (typeof key !== "string") return { ...plain, ...key };
  if (key.startsWith("ctrl-")) return { ...plain, text: key.slice(5), ctrl: true };
  if ([...key].length === 1) return { ...plain, text: key };
  keyBytes(key); // throws for a name that is no key
  return { ...plain, name: key as Key["name"] };
}

/** As the controller does it: a frame is written, then a key comes. */
function played({ chat, keys = [] }: Scene, [columns, rows]: Size): Chat {
  let now = 0;
  const painted = (one: Chat): Chat => {
    const { geometry } = draw(one, columns, rows).screen;
    return withPainted(one, geometry, now);
  };
  return keys.reduce<Chat>((before, key) => {
    now += 1000;
    return painted(press(before, keyOf(key), draw(before, columns, rows).screen, now).chat);
  }, painted(chat));
}

const grants = (["session", "project"] as const).map((scope) => ({
  scope,
  grant: { scope, tool: "edit_file", paths: ["package.json"], why: "chosen in the dialog" },
  text: `edit_file(package.json) for this ${scope}`,
  where: scope === "session" ? "grants.json (this session)" : "/home/ada/.config/holdfast/grants.json",
}));

const body = (changes: Record<number, string>): string =>
  Array.from({ length: 40 }, (_, at) => `${changes[at + 1] ?? `  line${at + 1}();`}\n`).join("");

const edit = waitingEdit("c1", {
  grants,
  mode: "accept-edits",
  plan: planOf(
    "src/http/retry.ts",
    body({ 8: "  const max = 3;", 9: "  for (let i = 0; i < 3; i++) {", 30: "  await sleep(100);" }),
    body({
      8: "  const max = options.max ?? 3;",
      9: "  for (let i = 0; i < max; i++) {",
      30: "  await sleep(100 * 2 ** i);",
    }),
  ),
});
const created = waitingEdit("c2", {
  toolName: "write_file",
  arguments: { file_path: "src/long.ts", content: "…" },
  plan: longPlan(60),
});
const guarded = waitingEdit("c3", {
  risk: "high",
  arguments: { file_path: ".github/workflows/ci.yml", old_string: "npm test", new_string: "npm run check" },
  plan: planOf(
    ".github/workflows/ci.yml",
    "on: push\njobs:\n  - npm ci\n  - npm test\n",
    "on: push\njobs:\n  - npm ci\n  - npm run check\n",
  ),
  verdict: {
    decision: "ask",
    risk: "high",
    rule: { source: "guarded" },
    why: "a workflow runs on a server with the repository's secrets",
  },
});
const command = waitingEdit("c4", {
  toolName: "shell",
  arguments: { command: "npm test && rm -rf build" },
  plan: {
    summary: "npm test && rm -rf build",
    cwd: "/home/ada/proj",
    command: "npm test && rm -rf build",
    sandbox: true,
    network: false,
  },
  verdict: {
    decision: "ask",
    risk: "medium",
    rule: { source: "table" },
    why: "npm test: medium risk: what it does with these words is not known to be reading alone",
    parts: [
      {
        command: "npm test",
        decision: "ask",
        risk: "medium",
        rule: { source: "table" },
        why: "medium risk: what it does with these words is not known to be reading alone",
      },
      {
        command: "rm -rf build",
        decision: "ask",
        risk: "medium",
        rule: { source: "table" },
        why: "medium risk: it takes files away",
      },
    ],
  },
});
const partial = waitingEdit("c5", { partial: { lines: 40_000, bytes: 2_000_000, why: "size" }, plan: longPlan(400) });
const changed = waitingEdit("c6", {
  plan: planOf("src/a.ts", "b\n", "d\n"),
  changed: { from: "x", to: "y", why: "src/a.ts was saved meanwhile", before: planOf("src/a.ts", "a\n", "d\n") },
});
const warned = waitingEdit("c7", {
  plan: { ...smallPlan, warnings: ["the file exists, and this session never read it"] },
});

const asking = (...calls: AskedCall[]): Chat => having({ type: "approval_requested", calls });

const batch = having(
  { type: "approval_requested", calls: [edit, created, guarded, command] },
  { type: "decision", callId: "c1", decision: "approve", by: "person" },
);

const reading: Chat = {
  ...idle,
  open: {
    ...idle.open,
    reader: {
      title: "changed by this session",
      changes: [edit, created, guarded].flatMap(({ plan }) => changesOf(plan)),
      reader: newReader(),
    },
  },
};

const looks: Record<string, SessionLook> = {
  "calm-owl-0001": { words: "waits for you: edit package.json", waits: true, filesChanged: 3 },
  "keen-fox-0002": { words: "cut off, 8 of 25 done", waits: false, filesChanged: 8 },
  "warm-elk-0003": { words: "idle", waits: false, filesChanged: 1 },
};
const hour = 3_600_000;
const line = (id: string, title: string, hours: number, state = "idle"): SessionLine => ({
  id,
  title,
  workspace: "/home/ada/proj",
  state,
  updatedAt: drawnAt - hours * hour,
});
const listed = {
  rows: [
    line("s1", "raise the limit of retries, and back off twice as long after each", 0.2),
    line("keen-fox-0002", "write a page for each of the 25 commands", 1),
    line(
      "calm-owl-0001",
      "move to the next version of the compiler and mend what it then complains about",
      20,
      "awaiting_approval",
    ),
    line("warm-elk-0003", "why does the\u001b[2J test\nfail?", 300),
    line("soft-jay-0004", "tidy up the tests", 400, "running"),
    ...Array.from({ length: 20 }, (_, at) => line(`old-hen-${at}`, `older ${at}`, 401 + at)),
  ],
  look: (id: string): SessionLook => looks[id] ?? { words: "idle", waits: false, filesChanged: 0 },
};
const sessions: Chat = { ...idle, open: { ...idle.open, picker: newPicker({ ...listed, present: "s1", all: false }) } };

const point = (turn: number, text: string, files: string[]): RewindPoint => ({
  turn,
  text,
  files: files.map((name) => `/home/ada/proj/${name}`),
  calls: files.map((_, at) => `c${at}`),
});
const rewinding = newRewinding([
  point(9, "and say so in the docs", []),
  point(7, "raise the limit of retries, and back off twice as long after each of them", ["src/http/retry.ts"]),
  point(4, "move\nto the next version", ["package.json", "src/a.ts", "src/http/retry.ts"]),
  ...Array.from({ length: 3 }, (_, at) => point(3 - at, `look at \u001b[2J${3 - at}`, ["package.json"])),
]);
const backwards: Chat = { ...idle, open: { ...idle.open, rewind: rewinding } };
const chosenOf = (at: number, calls: string[], left: string[]): Chat => ({
  ...idle,
  open: { ...idle.open, rewind: { ...rewinding, at, chosen: true, takeBack: { calls, left } } },
});
const stale = "src/a.ts was changed since call c4 wrote it: its lines 3 to 9 are not what that call left";

const jobOf = (call: string, command: string, said: string, hours: number, runs = false) => ({
  ref: { session: "brisk-otter-4f2a", call },
  command,
  runs,
  startedAt: drawnAt - hours * hour,
  said,
});
const jobs: Chat = {
  ...idle,
  open: {
    ...idle.open,
    jobs: newJobList(
      [
        jobOf("c3", "npm run build -- --watch", "built in 1.2 s\n(exit code 0)\n", 30),
        jobOf(
          "c12",
          "npm run dev -- --port 4000 --host 127.0.0.1 --open false",
          "ready\nGET / 200 in 3 ms\n",
          0.2,
          true,
        ),
        jobOf("c20", "tail -f \u001b[2J server.log", "(it is gone: it ended with the process)\n", 2),
      ],
      0,
    ),
  },
};

const { groups } = paletteWords();
const commandRow = (name: string, text: string, group = groups.chat): Entry => ({
  ...{ name, text, group },
  does: { command: "status", argument: "", leads: false },
});
const palette: Chat = {
  ...idle,
  open: {
    ...idle.open,
    palette: newPalette([
      ...["/help", "/model", "/mode"].map((name) =>
        commandRow(name, `what ${name} does, in so many words as it needs`),
      ),
      { ...commandRow("/exit", "leave; the session stays saved"), key: "ctrl+d" },
      commandRow("mode accept-edits", "from now on", groups.modes),
      commandRow(
        "Mend the \u001b[2Jparser, and all that hangs on it, in one go",
        "session brisk-otter-4f2b, 2 h ago",
        groups.sessions,
      ),
    ]),
  },
};

const helperId = (nth: number): string => `brisk-otter-4f2a@explore-3-20261121T1015-00${nth}`;
const helper = (nth: number, task: string, more: Partial<AgentLine>): AgentLine => ({
  ...{ session: helperId(nth), agent: `explorer ${nth}`, call: "c3", task, state: "running", filesChanged: 0 },
  ...{ steps: 2 + nth, inputTokens: 4_000 * nth, outputTokens: 310 * nth, mark: "" },
  ...more,
});
const asksFor = { session: helperId(3), callId: "c2", toolName: "read_file", summary: "read .env.production" };
const helpers = newAgentList(
  [
    helper(1, "who calls retry(), and with what?", { state: "ended", status: "done" }),
    helper(2, "what does the README say of \u001b[2Jretries?\nName lines.", {}),
    helper(3, "which settings does production have?", { state: "waiting", waitsFor: [asksFor] }),
    helper(4, "read the tests of the http client, all of them, and say which ones wait", {
      ...{ state: "ended", status: "cancelled" },
    }),
  ],
  0,
);
const agents: Chat = { ...idle, open: { ...idle.open, agents: helpers } };
const helperTalk: Item[] = [
  { kind: "user", text: "who calls retry(), and with what?" },
  { kind: "call", card: { ...cardOf("done", "c1"), toolName: "grep", subject: "retry\\( in src", note: "3 matches" } },
  {
    kind: "assistant",
    text: "Two files:\n\n- `src/http/get.ts`, line 14\n- `src/http/put.ts`, line 31",
    continued: false,
  },
];
const readingTalk: Chat = {
  ...idle,
  open: { ...idle.open, agents: openedTalk({ ...helpers, at: 0 }, helperId(1), helperTalk) },
};

const wholeTalk: Item[] = [
  { kind: "user", text: "run the tests" },
  {
    kind: "call",
    card: {
      ...{ ...cardOf("done", "c1"), toolName: "shell", subject: "npm test", note: "exit code 0" },
      output: [...Array.from({ length: 24 }, (_, at) => `ok ${at + 1} - test of part ${at + 1}`), "24 passed"],
    },
  },
  { kind: "assistant", text: "All 24 pass.", continued: false },
];
const readingWhole: Chat = {
  ...idle,
  open: { ...idle.open, talk: { title: "Run the tests", talk: newTalk("s1", wholeTalk, true) } },
};

const ruleText = [
  "allow shell: npm test",
  "you said yes 4 times (last on 2026-11-21) and never otherwise; it would have decided 4 calls that you were asked about",
  "it holds in /home/ada/shop, only in the sandbox and without the network, while package.json is as now",
  "it would have decided 1 call more:",
  "  npm test \u001b[2J -- retry  ·  not asked, brisk-otter-4f2a c7",
  "--- /home/ada/.config/holdfast/policy.json",
  "+++ /home/ada/.config/holdfast/policy.json",
  "@@ -1,3 +1,12 @@",
  " {",
  '-  "rules": []',
  '+  "rules": [',
  "+    {",
  '+      "tool": "shell",',
  '+      "command": "npm test",',
  '+      "decision": "allow",',
  '+      "workspace": "/home/ada/shop",',
  '+      "sandbox": true',
  "+    }",
  "+  ]",
  " }",
].join("\n");
const offeredRule = {
  ...{ line: "allow shell: npm test", times: 4, text: ruleText, file: "/home/ada/.config/holdfast/policy.json" },
  write: async () => undefined,
};
const suggested: Chat = {
  ...idle,
  open: { ...idle.open, rule: ruleOpening(offeredRule, "/w").first({ now: 0, present: fakeId }).state },
};

function cardOf(state: CardState, call: string, helping?: number): Card {
  const [session, who] =
    helping === undefined ? ["brisk-otter-4f2a", {}] : [helperId(helping), { agent: `explorer ${helping}` }];
  return { ref: { session, call }, ...who, toolName: "Read file", subject: "src/http/retry.ts", state };
}
const threeAtWork: Chat = (() => {
  const chat = having({ type: "user_message", id: "u1", text: "how are retries done here?" });
  const cards: Card[] = [
    {
      ...cardOf("running", "c3"),
      toolName: "Helpers",
      subject: "who calls retry(), and with what?",
      since: drawnAt - 9_000,
    },
    { ...cardOf("done", "c1", 1), toolName: "Search", subject: "retry\\( in src", note: "3 matches" },
    { ...cardOf("running", "c4", 2), subject: "README.md" },
    { ...cardOf("running", "c2", 3), toolName: "Find files", subject: "config/**" },
  ];
  return { ...chat, view: { ...chat.view, cards } };
})();
const asksHelper = waitingEdit("c2", {
  ...{ session: helperId(3), agent: "explorer 3", toolName: "read_file", risk: "high" },
  arguments: { file_path: ".env.production" },
  plan: {
    summary: "read .env.production",
    cwd: "/home/ada/proj",
    reads: [{ asked: ".env.production", real: "/home/ada/proj/.env.production" }],
  },
  verdict: { decision: "ask", risk: "high", rule: { source: "guarded" }, why: "it may hold keys and passwords" },
});

const lost: UnsettledCall = {
  session: fakeId,
  callId: "c9",
  toolName: "edit_file",
  arguments: { file_path: "src/a.ts", old_string: "a", new_string: "b" },
  effect: "file",
  startedAt: "2026-11-21T09:00:00Z",
  known: "Outcome unknown: the file holds neither the old nor the new bytes",
  plan: smallPlan,
  choices: ["retry", "done", "cancel"],
};

const cardStates: readonly CardState[] = ["arguments", "pending", "waiting", "running", "unknown"];
const settledStates: readonly CardState[] = ["done", "failed", "cancelled", "refused", "partly", "lost"];
const cardIn = (state: CardState): Card => ({
  ref: { session: "brisk-otter-4f2a", call: state },
  toolName: "edit_file",
  subject: "src/http/retry.ts",
  state,
  ...(state === "arguments" ? { written: { size: 4_200, head: "" } } : { counts: { added: 3, removed: 1 } }),
  ...(state === "running" ? { tail: ["compiling", "12 of 40"] } : {}),
  ...(state === "failed" ? { note: "STALE: the file changed since it was read" } : {}),
});

const markdown = [
  "# Retries",
  "",
  "The limit is read from **options** now, see `src/http/retry.ts`:",
  "",
  "1. the first wait is 100 ms",
  "2. each further one is twice as long",
  "",
  "```ts",
  "await sleep(100 * 2 ** i);",
  "```",
  "",
  "| wait | ms |",
  "|---|---|",
  "| first | 100 |",
].join("\n");

const running: AgentEventBody = { type: "user_message", id: "u1", text: "raise the limit" };
const withCards = (states: readonly CardState[]): Chat => {
  const chat = having(running);
  return { ...chat, view: { ...chat.view, cards: states.map(cardIn) } };
};
const withFilePopup = (chat: Chat): Chat => ({
  ...chat,
  open: { ...chat.open, input: withFiles(chat.open.input, "src", ["src/", "src/a.ts", "src/http/retry.ts"]) },
});

const withDraft = (chat: Chat, text: string): Chat => ({
  ...chat,
  open: { ...chat.open, input: { ...chat.open.input, buffer: setText(chat.open.input.buffer, text) } },
});

const planned: Chat = {
  ...idle,
  view: {
    ...idle.view,
    goals: [
      { id: "g1", text: "read the parser", state: "done" },
      { id: "g2", text: "mend it", state: "pending" },
      {
        id: "g3",
        text: "give each kind of token a test of its own, the broken ones of the issue among them",
        state: "active",
        parent: "g2",
      },
      { id: "g4", text: "write the page about it", state: "pending" },
    ],
  },
};

const themes: Chat = { ...idle, open: { ...idle.open, theme: newThemeList("dark") } };

const granted: Chat = {
  ...idle,
  open: {
    ...idle.open,
    grants: newGrantList([
      { text: "deny   shell curl *  ·  downloads go through me  ·  ~/.holdfast/policy.json:4" },
      { text: "ask    write_file docs/**  ·    ·  ~/.holdfast/policy.json:9" },
      {
        text: "allow  shell npm test  ·  granted for the project  ·  grant g-1a2b3c (project)",
        grant: "g-1a2b3c",
      },
      {
        text: "allow  edit_file src/a.ts  ·  granted for the session  ·  grant g-9f8e7d (session s1)",
        grant: "g-9f8e7d",
      },
    ]),
  },
};

/** Each part of the screen in each of its states. */
export const scenes: Record<string, readonly Scene[]> = {
  composer: [
    { state: "empty", chat: idle },
    { state: "typed", chat: idle, keys: typed("raise the limit of retries, and back off") },
    { state: "pasted", chat: idle, keys: [{ name: "paste", text: "one more line\n".repeat(1500) }] },
    { state: "commands", chat: idle, keys: typed("/") },
    { state: "files", chat: withFilePopup(played({ state: "", chat: idle, keys: typed("look at @src") }, [100, 30])) },
  ],
  running: [
    {
      state: "talk comes",
      chat: having(running, { type: "text_delta", id: "a1", text: "I raise the limit and add a **test**" }),
    },
    {
      state: "a thought comes",
      chat: having(running, {
        ...{ type: "notice", level: "info", code: "thinking" },
        text: "The limit is read in two places: first the client's, which wins.",
      }),
    },
    { state: "open calls", chat: withCards(cardStates) },
    { state: "three helpers", chat: threeAtWork },
    {
      state: "messages wait",
      chat: having(running, { type: "user_message", id: "u2", text: "and the docs, please", queued: true }),
    },
  ],
  transcript: [
    {
      state: "a new chat, and what can be gone on with",
      chat: {
        ...idle,
        view: withItems(idle.view, [
          {
            kind: "banner",
            isNew: true,
            lines: [
              "holdfast 0.1.0",
              "demo · ~/proj (main) · brisk-otter-4f2a",
              "ask: what may change something is asked about, but for what a rule of yours allows",
            ],
            offered: [
              {
                id: "s3",
                title: "Mend the kettle",
                about: "5 min ago, waits for you: edit src/a.ts (+1 -1), 1 file changed",
              },
              { id: "s2", title: "Why does the build take four minutes", about: "yesterday 18:20, idle" },
            ],
          },
        ]),
      },
    },
    {
      state: "talk, calls, decisions, notices",
      chat: {
        ...idle,
        view: withItems(idle.view, [
          { kind: "banner", lines: ["holdfast 0.1.0", "demo · ~/proj · brisk-otter-4f2a"] },
          { kind: "user", text: "raise the limit" },
          { kind: "assistant", text: markdown, continued: false },
          { kind: "call", card: { ...cardIn("done"), decided: "approved once by you" } },
          ...settledStates.map((state) => ({ kind: "call" as const, card: cardIn(state) })),
          {
            kind: "call",
            card: { ...cardIn("done"), changes: edit.plan.files === undefined ? [] : [edit.plan.diff ?? ""] },
          },
          { kind: "decision", mark: "no", text: "denied by you · write_file src/long.ts +60 −0 · too long" },
          { kind: "decision", mark: "other", text: "arguments edited by you · edit_file src/a.ts +1 −1" },
          { kind: "notice", level: "info", text: "the mode is now accept-edits" },
          { kind: "notice", level: "warn", text: "stopped" },
          { kind: "notice", level: "error", text: "the model server is not available", hint: "try again in a minute" },
        ]),
      },
    },
  ],
  dialog: [
    { state: "edit", chat: asking(edit) },
    { state: "edit, grant pointed at", chat: asking(edit), keys: ["p"] },
    { state: "edit, all edits from now on", chat: asking(edit), keys: ["m"] },
    { state: "edit, why not", chat: asking(edit), keys: ["r", ...typed("use a constant")] },
    { state: "edit, arguments", chat: asking(edit), keys: ["e"] },
    { state: "edit, why asked", chat: asking(edit), keys: ["?"] },
    { state: "new file", chat: asking(created) },
    { state: "new file, y before its end", chat: asking(created), keys: ["y"] },
    { state: "command", chat: asking(command) },
    { state: "guarded", chat: asking(guarded) },
    { state: "of a helper", chat: asking(asksHelper) },
    { state: "guarded, the word", chat: asking(guarded), keys: ["y", ...typed("ye")] },
    { state: "partial", chat: asking(partial) },
    { state: "asked anew", chat: asking(changed) },
    { state: "with a warning", chat: asking(warned) },
    { state: "batch, the first decided", chat: batch },
    { state: "batch, all of it", chat: batch, keys: ["l"] },
    { state: "a plan to work by", chat: asking(waitingPlan("c8")) },
    { state: "a plan to work by, in accept-edits", chat: asking(waitingPlan("c8")), keys: ["m"] },
    { state: "with a draft", chat: withDraft(asking(edit), "and the docs") },
  ],
  "full-view": [
    { state: "edit", chat: asking(edit), keys: ["d"] },
    { state: "guarded, read to its end", chat: asking(guarded), keys: ["d", "G", "n"] },
    { state: "new file, decided too soon", chat: asking(created), keys: ["d", "y"] },
    { state: "changes of the session", chat: reading, keys: ["J", "J"] },
    { state: "changes of the session, searched", chat: reading, keys: ["/", ...typed("sleep")] },
  ],
  picker: [
    { state: "the newest that waits", chat: sessions },
    { state: "filtered", chat: sessions, keys: ["/", ...typed("older 1")] },
    { state: "another title", chat: sessions, keys: ["r", ...typed(", slowly")] },
    { state: "removed, asked", chat: sessions, keys: ["x"] },
    { state: "in use", chat: sessions, keys: ["j", "j", "enter"] },
    { state: "the last", chat: sessions, keys: ["G"] },
    {
      state: "of all folders",
      chat: { ...sessions, open: { ...idle.open, picker: newPicker({ ...listed, present: "s1", all: true }) } },
    },
    {
      state: "none",
      chat: {
        ...idle,
        open: { ...idle.open, picker: newPicker({ rows: [], look: listed.look, present: "s1", all: false }) },
      },
    },
  ],
  agents: [
    { state: "at work", chat: agents },
    { state: "stopping one", chat: agents, keys: ["up", "x"] },
    { state: "a talk", chat: readingTalk },
  ],
  rewind: [
    { state: "messages", chat: backwards },
    { state: "the first", chat: backwards, keys: ["g"] },
    { state: "files are looked at", chat: backwards, keys: ["enter"] },
    { state: "with files", chat: chosenOf(3, ["c1", "c2"], [stale]) },
    { state: "with files, the talk only", chat: chosenOf(4, ["c1"], []), keys: ["j"] },
    { state: "without files", chat: chosenOf(5, [], []) },
    { state: "none can be taken back", chat: chosenOf(4, [], [stale]) },
    { state: "esc once", chat: idle, keys: ["escape"] },
  ],
  jobs: [
    { state: "the one that runs", chat: jobs },
    { state: "what it said", chat: jobs, keys: ["enter"] },
    { state: "ended, asked", chat: jobs, keys: ["x"] },
    { state: "one that runs no more", chat: jobs, keys: ["j", "x"] },
  ],
  grants: [
    { state: "the first grant", chat: granted },
    { state: "revoking", chat: granted, keys: ["x"] },
    { state: "a rule", chat: granted, keys: ["k", "x"] },
  ],
  talk: [
    { state: "its end", chat: readingWhole },
    { state: "its beginning", chat: readingWhole, keys: ["g"] },
  ],
  theme: [
    { state: "as it is", chat: themes },
    { state: "another one", chat: themes, keys: ["j"] },
  ],
  palette: [
    { state: "all of it", chat: palette },
    { state: "narrowed", chat: palette, keys: [..."mode", "down"] },
    { state: "nothing has it", chat: palette, keys: [..."xyz"] },
  ],
  rule: [
    { state: "to be read", chat: suggested },
    { state: "y at once", chat: suggested, keys: ["y"] },
    { state: "its end", chat: suggested, keys: ["G"] },
  ],
  recovery: [
    { state: "menu", chat: having({ type: "recovery_requested", calls: [lost] }) },
    { state: "looking", chat: having({ type: "recovery_requested", calls: [lost] }), keys: ["l"] },
  ],
  form: [
    { state: "what is asked", chat: filling() },
    { state: "a text", chat: filling(), keys: [...Array(4).fill(" "), "f", ...typed("Crash at start")] },
    { state: "an email that is none", chat: filling(2), keys: [...typed("ada"), "enter"] },
    { state: "a choice", chat: filling(5), keys: ["down"] },
    { state: "some of a list", chat: filling(6) },
    { state: "what goes out", chat: filling(7) },
    {
      state: "a yes alone",
      chat: having({ type: "form_requested", callId: "c1", form: 1, asked: askedForm({ fields: [] }) }),
    },
  ],
  status: [
    { state: "put off", chat: asking(edit, created), keys: ["ctrl-c"] },
    {
      state: "context used",
      chat: having({ type: "usage", inputTokens: 900, outputTokens: 100, contextUsed: 90_000, contextWindow: 128_000 }),
    },
    { state: "another mode", chat: { ...idle, view: { ...idle.view, mode: "accept-edits" } } },
    { state: "a plan", chat: planned },
    { state: "a plan, folded", chat: planned, keys: ["ctrl-t"] },
    { state: "no such command", chat: { ...idle, flash: unknownCommandText("nope") } },
  ],
};

/** The same chat with a title, a plan and files that its calls changed. */
const withBeside = (chat: Chat): Chat => ({
  ...chat,
  jobs: 2,
  view: {
    ...chat.view,
    usage: { contextUsed: 41_000, contextWindow: 128_000 },
    spent: { input: 52_000, output: 3100, cost: 0.21 },
    title: "retries of the http client",
    goals: planned.view.goals,
    changed: [
      { subject: "src/http/retry.ts", added: 3, removed: 3 },
      { subject: "src/http/limits.ts", added: 12, removed: 0 },
      { subject: "test/http/a-long-name-of-a-folder/retries-and-limits.test.ts", added: 41, removed: 7 },
      { subject: "src/http/retry.ts", added: 1, removed: 2 },
    ],
  },
});

const besideTheTalk: readonly Scene[] = [
  { state: "at rest", chat: withBeside(idle) },
  { state: "the plan folded", chat: withBeside(idle), keys: ["ctrl-t"] },
  { state: "at work", chat: withBeside(withCards(cardStates)) },
  { state: "a question", chat: withBeside(batch) },
  { state: "nothing to tell", chat: idle },
];

const colours = { color: true, styles: true, dumb: false };
const inColour =
  (name: "dark" | "light"): Paint =>
  (lines) =>
    lines.map((line) => toAnsi(line, colours, { name, depth: "true" })).join("\n");
const inWords: Paint = (lines) => lines.map(plainText).join("\n");

/** What the components draw of a state at a size: the finished rows and below them the live part. */
function drawn(scene: Scene, size: Size, paint: Paint, look: DiffLook = {}): string {
  const [columns, rows] = size;
  const chat = played(scene, size);
  const { full } = draw(chat, columns, rows, createLayouts(look));
  if (full !== undefined) return paint(full.lines);
  const finished: StyledLine[] = new Transcript().take(chat.view.items, columns, look, Number.POSITIVE_INFINITY);
  return renderToString(
    <Painting value={paint}>
      <Written pieces={finished.length === 0 ? [] : [finished]} />
      <Live parts={draw(chat, columns, rows, createLayouts(look)).parts} />
    </Painting>,
    { columns },
  );
}

const liveText = (parts: readonly Part[], columns: number): string =>
  renderToString(
    <Painting value={inWords}>
      <Live parts={parts} />
    </Painting>,
    { columns },
  );

/** The surfaces that are in some screen. */
export const drawnSurfaces = (): ReadonlySet<SurfaceName> =>
  new Set(
    Object.values(scenes)
      .flat()
      .flatMap((scene) => openIn(played(scene, sizes[0]))),
  );

/** The live part of every screen: as it is laid out, and as the components draw it; blanks at the ends of rows cut. */
export function liveScreens(): { laidOut: string; drawn: string }[] {
  const trimmed = (text: string): string => text.replace(/ +$/gm, "");
  return sizes.flatMap((size) =>
    Object.values(scenes)
      .flat()
      .map((scene) => {
        const { lines, parts } = draw(played(scene, size), size[0], size[1]);
        return { laidOut: trimmed(inWords(lines)), drawn: trimmed(liveText(parts, size[0])) };
      }),
  );
}

const heading = (state: string): string => `── ${state} ${"─".repeat(Math.max(2, 36 - state.length))}`;

/** The text of every screen: by name of its file, all states of a part below each other. */
export function screenTexts(): Record<string, string> {
  const files: Record<string, string> = {};
  const write = (size: Size, part: string, states: readonly Scene[]): void => {
    const texts = states.map((scene) => `${heading(scene.state)}\n${drawn(scene, size, inWords)}\n`);
    files[`${size.join("x")}/${part}.txt`] = texts.join("\n");
  };
  for (const size of sizes) for (const [part, states] of Object.entries(scenes)) write(size, part, states);
  write(wide, "side-column", besideTheTalk);
  return files;
}

/** One state in colours, as a terminal gets it. */
export function screenAnsi(
  part: string,
  state: string,
  size: Size,
  { ground, highlight }: { ground: "dark" | "light"; highlight: Highlight },
): string {
  const scene = scenes[part]?.find((one) => one.state === state);
  if (scene === undefined) throw new Error(`no screen ${part}: ${state}`);
  return drawn(scene, size, inColour(ground), { highlight });
}

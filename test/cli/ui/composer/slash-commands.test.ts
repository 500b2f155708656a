import { expect, it } from "vitest";
import { namesOfCommands, parseTyped } from "../../../../src/cli/typed.ts";
import type { ChatOptions } from "../../../../src/cli/ui/chat/chat-options.ts";
import { commands, completeCommand, runCommand } from "../../../../src/cli/ui/composer/slash-commands.ts";
import { commandedLines } from "../../../../src/cli/ui/plain/commanded-lines.ts";
import { lineHelp } from "../../../../src/cli/ui/plain/line-help.ts";
import type { ChatHands } from "../../../../src/cli/ui/surface/hands.ts";
import { type Item, initialView, type View } from "../../../../src/cli/ui/view/view.ts";
import type { Session } from "../../../../src/session/session.ts";
import { openedAs, type SomeServices, servicesWith } from "../../../support/fake-services.ts";
import { FakeSession } from "../../../support/fake-session.ts";

/** What typed commands, a line each, make of a chat. */
async function typed(
  lines: string,
  session: Session = new FakeSession(),
  services: SomeServices = {},
  seen: Partial<View> = {},
  env: Record<string, string> = { TERM: "xterm-256color" },
) {
  const told: string[] = [];
  const begun = { session: session.id, workspace: "/w", model: "m", mode: "ask" as const, banner: [] };
  const chat = { session, view: { ...initialView(begun), ...seen, items: [] as readonly Item[] }, left: false };
  const stdout = { write: (sequence: string) => told.push(sequence) };
  const commanded = commandedLines({ env, services: servicesWith(services), stdout } as unknown as ChatOptions, {
    session: () => chat.session,
    view: () => chat.view as View,
    hands: () => ({ session: () => chat.session, say: commanded.say }) as ChatHands,
    show: (view) => Object.assign(chat, { view }),
    follow: (next) => Object.assign(chat, { session: next }),
    leave: () => Object.assign(chat, { left: true }),
  });
  for (const line of lines.split("\n")) {
    const command = parseTyped(line);
    if (command.kind !== "command") throw new Error(`${line} is no command`);
    await runCommand(command.name, command.argument, commanded);
  }
  const { model, mode, items: all } = chat.view;
  const echoed = all.flatMap((item) => (item.kind === "command" ? [item.text] : []));
  return { ...chat, model, mode, items: all.filter(({ kind }) => kind !== "command"), echoed, told };
}

const notice = (text: string, level: "info" | "warn" | "error" = "info"): Item => ({ kind: "notice", level, text });

it("/undo takes back the last turn, or the calls that are named", async () => {
  const session = new FakeSession();
  expect((await typed("/undo", session)).items).toEqual([]);
  await typed("/undo c4", session);
  await typed("/undo c4, c5  c6", session);
  expect(session.heard).toEqual([
    { method: "undo", target: { turn: "last", rest: true } },
    { method: "undo", target: { calls: ["c4"], rest: true } },
    { method: "undo", target: { calls: ["c4", "c5", "c6"], rest: true } },
  ]);
});

it("/undo asks for the rest, and says what stands against the calls that are left out", async () => {
  const session = new FakeSession();
  session.undoOutcome = { ok: true, calls: ["c2"], left: ["call c1 cannot be taken back from \u001b[2Ja.txt"] };
  const { items } = await typed("/undo", session);
  expect(items).toEqual([notice("call c1 cannot be taken back from ␛[2Ja.txt: it is left out", "warn")]);
});

it("/model says which it is, and lists those of the settings and of the servers, without what a terminal would obey", async () => {
  const asked: string[] = [];
  const models = async (inUse: string) => {
    asked.push(inUse);
    return {
      models: [],
      lines: ["model  window", "openai:\u001b[2Jx  ?"],
      unlisted: ["gone gave no list of its models: it answered 500"],
    };
  };
  const { items, echoed } = await typed("/model", new FakeSession(), { about: { models } });
  expect([echoed, asked]).toEqual([["/model"], ["m"]]);
  expect(items).toEqual([
    notice("the model is m; /model SPEC changes it, e.g. /model openai:NAME"),
    notice("model  window\n  openai:␛[2Jx  ?\n  gone gave no list of its models: it answered 500"),
  ]);
  expect((await typed("/model")).items).toHaveLength(1);
});

it("a list of models to choose from is told where lines are all there is, with those that gave none behind it", async () => {
  const named = (spec: string) => ({ spec, text: "" });
  const models = async () => ({
    models: ["m", "n"].map(named),
    lines: ["m  8k", "n  8k"],
    unlisted: ["gone gave none"],
  });
  const { items } = await typed("/model", new FakeSession(), { about: { models } });
  expect(items.slice(1)).toEqual([notice("m  8k\n  n  8k\n  gone gave none")]);
});

it("/agents without a helper says so where lines are all there is, and does not tell the talk instead", async () => {
  const talk = async () => ({ transcript: [{ role: "user" as const, id: "m1", text: "hello" }], earlier: 0 });
  const broken = () => Promise.reject(new Error("not to be read"));
  for (const services of [{}, { about: { talk } }, { about: { talk: broken } }])
    expect((await typed("/agents", new FakeSession(), services)).items).toEqual([
      notice("this session has no helpers"),
    ]);
});

it("/compact says why nothing was begun, and leaves what came of a summary to its events", async () => {
  const session = new FakeSession();
  expect((await typed("/compact the names", session)).items).toEqual([notice("there is nothing to sum up", "warn")]);
  session.compactOutcome = { ok: false, message: "the model gave no summary", told: true };
  expect((await typed("/compact", session)).items).toEqual([]);
  expect(session.heard).toEqual([
    { method: "compact", keep: "the names" },
    { method: "compact", keep: undefined },
  ]);
});

it("/undo says why nothing was begun, without what a terminal would obey", async () => {
  const session = new FakeSession();
  session.undoOutcome = { ok: false, message: "call \u001b[2Jx changed nothing" };
  const { items } = await typed("/undo x", session);
  expect(items).toEqual([notice(expect.not.stringContaining("\u001b") as string, "warn")]);
});

it("/diff is that of the session on the screen", async () => {
  const diff = async (id: string) => [`diff of ${id}`];
  expect((await typed("/diff", new FakeSession("calm-fox-0001"), { about: { diff } })).items).toEqual([
    { kind: "diff", changes: ["diff of calm-fox-0001"] },
  ]);
});

it("/sessions numbers the sessions where lines are all there is, and goes over to one by its number", async () => {
  const [session, next] = [new FakeSession(), new FakeSession("calm-owl-0001")];
  const at = { workspace: "/w", updatedAt: new Date(2025, 10, 21, 9, 5).getTime() };
  const rows = [
    { ...at, id: session.id, title: "tidy\u001b[2J up", state: "idle" },
    { ...at, id: "calm-owl-0001", title: "write b", state: "awaiting_approval" },
  ];
  const look = () => ({ words: "waits for you: write b.txt", waits: true, filesChanged: 2 });
  const list = async () => ({ rows, look });
  const never = async () => Promise.reject(new Error("not asked for"));
  const shelf = async () => ({ list, rename: never, remove: never });
  const opened: (string | undefined)[] = [];
  const open = async (id: string | undefined) => {
    opened.push(id);
    return openedAs(next);
  };
  const { items } = await typed("/sessions\n/sessions 3\n/sessions 2", session, { sessions: { shelf, open } });
  const when = "21 Nov 2025";
  expect(items).toEqual([
    notice(
      [
        "1. tidy␛[2J up",
        `   ${when}, you are in it, 2 files changed, ${session.id}`,
        "2. write b",
        `   ${when}, waits for you: write b.txt, 2 files changed, calm-owl-0001`,
        "/sessions NUMBER goes over to one",
      ].join("\n"),
    ),
    notice("there is no session 3 in the list: /sessions shows it", "warn"),
    notice(`session calm-owl-0001; the one before is saved as ${session.id}`),
  ]);
  expect(opened).toEqual(["calm-owl-0001"]);
});

it("/new and /sessions ID go over: the mode goes with the person, the session before is closed and said to be saved", async () => {
  for (const line of ["/new", "/clear", "/sessions calm-owl-0001"]) {
    const [before, next] = [new FakeSession("brisk-otter-4f2a"), new FakeSession("calm-owl-0001")];
    const sessions = { begin: async () => next, open: async () => openedAs(next) };
    const { session, items } = await typed(line, before, { sessions });
    expect(session).toBe(next);
    expect(next.heard).toEqual([{ method: "setMode", mode: "ask" }]);
    expect(before.heard).toEqual([{ method: "close" }]);
    expect(items).toEqual([notice("session calm-owl-0001; the one before is saved as brisk-otter-4f2a")]);
  }
  const here = new FakeSession("brisk-otter-4f2a");
  expect((await typed("/sessions brisk-otter-4f2a", here)).items).toEqual([notice("this is that session")]);
  const gone = async () => Promise.reject(new Error("there is no session x"));
  expect(await typed("/sessions x", here, { sessions: { open: gone } })).toMatchObject({
    session: here,
    items: [notice("there is no session x", "error")],
  });
});

it("/mode and /model change the session and then the screen; the demo is no model to change to", async () => {
  const session = new FakeSession();
  expect(await typed("/mode read-only", session)).toMatchObject({ mode: "read-only" });
  expect(await typed("/mode full-auto", session)).toMatchObject({ mode: "ask" });
  expect(await typed("/model openai:x", session)).toMatchObject({ model: "openai:x" });
  expect(await typed("/model demo", session)).toMatchObject({
    model: "m",
    items: [notice("the demo works in a project of its own: agent chat --model demo", "warn")],
  });
  expect(session.heard).toEqual([
    { method: "setMode", mode: "read-only" },
    { method: "setModel", spec: "openai:x" },
  ]);
});

it("/help and /exit are the chat's own, also by their other names", async () => {
  for (const line of ["/help", "/?", "/"]) expect((await typed(line)).items).toEqual([notice(lineHelp())]);
  for (const line of ["/exit", "/quit"]) expect((await typed(line)).left).toBe(true);
});

it("a name that is written out is completed first", () => {
  const names = (typed: string) => completeCommand(typed).map(({ name }) => name);
  expect(names("mo").slice(0, 2)).toEqual(["model", "mode"]);
  expect(names("mode").slice(0, 2)).toEqual(["mode", "model"]);
});

it("runs a line that begins with ! as the person's own command; with two of them it is a message", async () => {
  const session = new FakeSession();
  await typed("! git status ", session);
  await typed("!ls -l", session);
  await typed("/run make it", session);
  expect(session.heard).toEqual([
    { method: "runCommand", command: "git status" },
    { method: "runCommand", command: "ls -l" },
    { method: "runCommand", command: "make it" },
  ]);
  expect(parseTyped("!!important")).toEqual({ kind: "message", text: "!important" });
  expect((await typed("!")).items).toMatchObject([{ text: "what is to be run? ! COMMAND runs it" }]);
});

it("a command is echoed as it was given, unless it shows by itself that it was", async () => {
  expect(
    (await typed("/clear", new FakeSession(), { sessions: { begin: async () => new FakeSession("b") } })).echoed,
  ).toEqual(["/new"]);
  expect((await typed("/model  openai:x\u001b[2J ")).echoed).toEqual([
    expect.stringMatching(/^\/model openai:x[^\u001b]*$/),
  ]);
  for (const line of ["/undo", "! ls", "/init", "/exit"]) expect((await typed(line)).echoed).toEqual([]);
});

it("/copy sends the last answer to the clipboard, through tmux too, and says what nobody can know", async () => {
  const session = new FakeSession();
  const answer = "\nIt is **done**.\u001b[2J\n";
  const encoded = Buffer.from("It is **done**.").toString("base64");
  const plain = await typed("/copy", session, {}, { answer });
  expect(plain.told).toEqual([`\u001b]52;c;${encoded}\u0007`]);
  expect(plain.items).toEqual([
    notice("sent to the terminal's clipboard: 15 characters. Not every terminal takes it, and none says so"),
  ]);
  const env = { TERM: "tmux-256color", TMUX: "/tmp/t" };
  const inTmux = await typed("/copy", session, {}, { answer }, env);
  expect(inTmux.told).toEqual([`\u001b]52;c;${encoded}\u0007\u001bPtmux;\u001b\u001b]52;c;${encoded}\u0007\u001b\\`]);
  expect(inTmux.items).toEqual([notice(expect.stringContaining("set-clipboard on") as string)]);
});

it("/copy sends nothing where there is nothing, too much, or no clipboard", async () => {
  const session = new FakeSession();
  const none = await typed("/copy", session);
  const long = await typed("/copy", session, {}, { answer: "x".repeat(60_000) });
  const console = await typed("/copy", session, {}, { answer: "x" }, { TERM: "linux" });
  expect([none, long, console].map(({ told, items }) => [told, items])).toEqual([
    [[], [notice("there is no answer to copy yet", "warn")]],
    [[], [notice(expect.stringContaining("/export writes it") as string, "warn")]],
    [[], [notice("this terminal has no clipboard that can be written to", "warn")]],
  ]);
});

it("/fork copies nothing while a turn is under way", async () => {
  const { items } = await typed("/fork", new FakeSession(), {}, { running: true });
  expect(items).toEqual([notice("a turn is under way: let it end, or stop it, then /fork", "warn")]);
});

it("/init is an ordinary message that asks for AGENTS.md", async () => {
  const session = new FakeSession();
  await typed("/init", session);
  expect(session.heard).toEqual([{ method: "submit", text: expect.stringContaining("Write AGENTS.md") as string }]);
});

it("commands are known by the names that people bring from elsewhere", () => {
  const names = (line: string) => {
    const parsed = parseTyped(line);
    return parsed.kind === "command" ? parsed.name : parsed.kind;
  };
  expect(["/approvals", "/cost", "/usage", "/tokens", "/resume", "/threads", "/quit"].map(names)).toEqual([
    ...["permissions", "status", "status", "context", "sessions", "sessions", "exit"],
  ]);
});

it("/palette tells of the commands where lines are all there is, and reads nothing for that", async () => {
  const broken = () => Promise.reject(new Error("not to be read"));
  const services = { folder: { commands: broken }, sessions: { shelf: broken } };
  const [said, help] = [await typed("/palette", new FakeSession(), services), await typed("/help")];
  expect(said.items).toEqual(help.items);
  expect(JSON.stringify(said.items)).toContain("/palette");
});

it("each name that can be typed is a command's, and is offered, in this order", () => {
  expect(completeCommand("").map(({ name }) => name)).toEqual(namesOfCommands);
  const told = commands.map(({ name, opensAlone, key, showsItself }) =>
    [name, opensAlone && "alone", key, showsItself && "itself"].filter((word) => word !== undefined).join(" "),
  );
  expect(told).toEqual([
    ...[
      "help",
      "model alone",
      "mode shift+tab",
      "diff",
      "undo alone itself",
      "run ! itself",
      "trust",
      "suggest",
      "new",
    ],
    ...["sessions alone itself", "compact", "rename", "fork", "copy", "export", "permissions", "status", "context"],
    ...["tools", "background ctrl+s itself"],
    ...["jobs alone itself", "agents alone ctrl+o itself", "talk itself", "rewind alone esc esc itself"],
    ...["goals", "page", "init itself", "theme", "palette itself", "exit ctrl+d itself"],
  ]);
});

it("/page tells the address, and in one clean, short line why there is no picture", async () => {
  const page = async () => ({
    pages: [{ browser: "browser", url: "http://localhost/" }],
    areSeveral: false,
    reason: `browser has made no picture: a\r\n\x1b[31mred\n\n${"x".repeat(1_000)}`,
  });
  const { items } = await typed("/page", new FakeSession(), { about: { page } });
  const [address, reason] = items;
  expect(address).toEqual(notice("http://localhost/"));
  expect(reason).toMatchObject({
    level: "warn",
    text: expect.stringMatching(/^browser has made no picture: a .*xxx…$/),
  });
  expect(items).toHaveLength(2);
  expect(reason?.kind === "notice" && [reason.text.length, /[\x00-\x1f]/.test(reason.text)]).toEqual([300, false]);
});

it("/page says which browser where several run, and that it moved on while the picture was made", async () => {
  const written: [string, Uint8Array][] = [];
  const about = {
    page: async () => ({
      pages: [
        { browser: "browser", url: "http://localhost/" },
        { browser: "browser of brisk-otter-4f2a@1", url: undefined },
      ],
      areSeveral: true,
      picture: { browser: "browser", bytes: Uint8Array.of(1) },
      hasMoved: true as const,
    }),
    writePicture: async (file: string, bytes: Uint8Array) => {
      written.push([file, bytes]);
      return "written";
    },
  };
  expect((await typed("/page a.png", new FakeSession(), { about })).items).toEqual([
    notice(
      [
        "browser: http://localhost/",
        "browser of brisk-otter-4f2a@1: a page whose address is not known",
        "2 pages are open; the picture is of the one that is worked on in browser",
        "what is open changed while the picture was made: it may show what was before",
      ].join("\n"),
    ),
    notice("written"),
  ]);
  expect(written).toEqual([["a.png", Uint8Array.of(1)]]);
});

it("/rewind says of a wrong word what the choices are, and waits for the end of a turn, as /fork does", async () => {
  const rewind = {
    points: async () => [{ turn: 0, text: "write b", files: ["/w/b"], calls: ["c1"] }],
    look: async () => ({ calls: ["c1"], left: [] }),
  };
  const session = new FakeSession();
  const lines = "/rewind 1 al\x1b[31ml\n/rewind 1 both now\n/rewind 2 talk";
  expect((await typed(lines, session, { rewind })).items.map((item) => item.kind === "notice" && item.text)).toEqual([
    expect.stringMatching(/^no such choice here: al.+l; it is one of both, talk, files$/),
    "no such choice here: both now; it is one of both, talk, files",
    "there is no message 2: /rewind shows them",
  ]);
  const none = { ...rewind, look: async () => ({ calls: [], left: [] }) };
  expect((await typed("/rewind 1 files", session, { rewind: none })).items).toEqual([
    notice("no such choice here: files; it is one of talk", "warn"),
  ]);
  const open: Partial<View>[] = [{ running: true }, { ask: { requests: [], at: 0 } as unknown as View["ask"] }];
  for (const seen of open)
    for (const line of ["/rewind", "/rewind 1", "/rewind 1 talk", "/fork"])
      expect((await typed(line, session, { rewind }, seen)).items).toEqual([
        notice(`a turn is under way: let it end, or stop it, then ${line.split(" ")[0]}`, "warn"),
      ]);
  expect(session.heard).toEqual([]);
});

import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { AgentEvent } from "../../src/graph/events.ts";
import type { Model, ModelRequest } from "../../src/model/port.ts";
import { openScript } from "../../src/model/script.ts";
import { parseScript } from "../../src/model/script-file.ts";
import { cleanTitle, longestTitle, renameSession, titleOfReply } from "../../src/records/title.ts";
import type { AgentParts } from "../../src/session/agent-parts.ts";
import { openAgent } from "../../src/session/open-agent.ts";
import type { Session } from "../../src/session/session.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/types.ts";
import { heldSpeech } from "../support/held-speech.ts";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

interface Talk {
  session: Session;
  store: Store;
  events: AgentEvent[];
  requests: ModelRequest[];
  logged: unknown[];
  row(): ReturnType<Store["sessions"]["get"]>;
  /** Until no request is under way any more. */
  close(): Promise<void>;
}

async function talk(
  lines: object[],
  more: Partial<AgentParts> = {},
  wrapModel = (model: Model): Model => model,
): Promise<Talk> {
  const workspace = await realpath(await mkdtemp(join(tmpdir(), "holdfast-title-")));
  folders.push(workspace);
  const store = await openStore({ file: ":memory:" });
  const text = [{ v: 1, kind: "holdfast-script" }, ...lines].map((line) => JSON.stringify(line)).join("\n");
  const requests: ModelRequest[] = [];
  const logged: unknown[] = [];
  const parts: AgentParts = {
    openStore: async () => store,
    openTools: async () => ({ tools: [], services: {}, close: () => undefined }),
    openModel: async (spec) => {
      const model = wrapModel(openScript(parseScript(text, "talk"), { spec, name: "talk" }));
      return {
        ...model,
        async *stream(request, signal) {
          requests.push(request);
          for await (const event of model.stream(request, signal))
            yield event.type === "done" ? { ...event, reply: { ...event.reply, usage } } : event;
        },
      };
    },
    loadPolicy: async ({ mode }) => ({ rules: [], grants: [], mode, sealed: { roots: [] } }),
    systemPrompt: async () => "You are tested.",
    clock: Date.now,
    maxSteps: 5,
    titles: true,
    reportDefect: (error) => logged.push(error),
    ...more,
  };
  const session = openAgent(parts).start({ workspace, model: "script", mode: "ask" });
  const events: AgentEvent[] = [];
  const read = (async () => {
    for await (const event of session.events()) events.push(event);
  })();
  const close = async (): Promise<void> => {
    await session.close();
    await read;
  };
  return { session, store, events, requests, logged, row: () => store.sessions.get(session.id), close };
}

const usage = { inputTokens: 100, outputTokens: 10 };
const titled = ({ events }: Talk): Promise<void> =>
  expect.poll(() => events.some(({ type }) => type === "session_titled")).toBe(true);

describe("the title of a session", () => {
  it("is the model's after the first turn, where that is wanted, and its cost is counted", async () => {
    const at = await talk([{ text: "Otters swim." }, { title: '"**Otters and water**"' }, { text: "Yes." }]);
    await at.session.submit("what do otters do");
    await at.session.settled();
    await titled(at);
    expect(at.row()).toMatchObject({ title: "Otters and water", inputTokens: 200, outputTokens: 20 });
    const asked = at.requests[1];
    expect(asked).toMatchObject({ tools: [], toolChoice: "none" });
    expect(String(asked?.messages.at(-1)?.content)).toMatch(
      /^\[title\] .*\n\nThe person asked: what do otters do\n\nThe answer was: Otters swim\.$/,
    );
    await at.session.submit("and more?");
    await at.session.settled();
    await at.close();
    expect(at.requests).toHaveLength(3);
    expect(at.requests[2]?.messages.map(({ content }) => content)).not.toContain("Otters and water");
  });

  it.each([
    ["the script has no line for it", [{ text: "Otters swim." }], {}],
    ["it is not wanted", [{ text: "Otters swim." }, { title: "Otters" }], { titles: false }],
  ])("stays the prompt where %s, and nobody is told", async (_, lines, more) => {
    const at = await talk(lines, more);
    await at.session.submit("what do otters do");
    await at.session.settled();
    await at.close();
    expect(at.row()?.title).toBe("what do otters do");
    expect(
      at.events.map(({ type }) => type).filter((type) => ["error", "notice", "session_titled"].includes(type)),
    ).toEqual([]);
  });

  it("stays the prompt where the request for it fails, which is logged and ends no turn", async () => {
    const failing = await talk([{ text: "Otters swim." }], {
      openModel: (() => {
        let opened = 0;
        return async (spec: string) => {
          opened += 1;
          if (opened > 1) throw new Error("no such server");
          return openScript(parseScript(`{"v":1,"kind":"holdfast-script"}\n{"text":"Otters swim."}`, "talk"), {
            spec,
            name: "talk",
          });
        };
      })(),
    });
    await failing.session.submit("what do otters do");
    await failing.session.settled();
    await expect.poll(() => failing.logged).toEqual([new Error("the session was not given a title")]);
    await failing.close();
    expect(failing.row()?.title).toBe("what do otters do");
    expect(failing.events.at(-1)).toMatchObject({ type: "turn_ended", reason: "done" });
  });

  it("that the person gave is not replaced by the model's, and is kept as one clean line", async () => {
    const { wrapModel, goOn } = heldSpeech();
    const at = await talk([{ text: "Otters swim." }, { title: "Otters" }], {}, wrapModel);
    await at.session.submit("what do otters do");
    const { updatedAt } = at.row() ?? {};
    expect(await renameSession(at.store, at.session.id, "  my\u001b[2J talk\nof otters ")).toBe("my [2J talk");
    expect(await renameSession(at.store, at.session.id, " \n\u0007")).toBeUndefined();
    expect(await renameSession(at.store, "no-such-session", "x")).toBeUndefined();
    expect(at.row()?.updatedAt).toBe(updatedAt);
    goOn();
    await at.session.settled();
    await at.close();
    expect(at.row()?.title).toBe("my [2J talk");
    expect(at.requests).toHaveLength(1);
  });

  it("is cut at a whole character", () => {
    const family = "👩‍👩‍👧";
    expect(cleanTitle(family.repeat(longestTitle))).toBe(family.repeat(longestTitle));
    expect(cleanTitle(family.repeat(longestTitle + 1))).toBe(`${family.repeat(longestTitle - 1)}…`);
    expect(cleanTitle('#42 "quoted"')).toBe('#42 "quoted"');
    expect(cleanTitle("a\u202eb\tc")).toBe("a b c");
    expect(titleOfReply("Title: **Fix the tests**\n\nIt is about tests.")).toBe("Fix the tests");
  });
});

import { createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkedStream, NotReached } from "../../../src/net/checked-stream.ts";
import { keysIn } from "../../../src/tools/mcp/address.ts";
import { inWorkspace, shownUrl } from "../../../src/tools/mcp/entry.ts";
import { readEvents, readWhole } from "../../../src/tools/mcp/event-stream.ts";
import { maskedWords } from "../../../src/tools/mcp/masked-words.ts";

async function eventsIn(...chunks: (string | Buffer)[]): Promise<string[]> {
  const found: string[] = [];
  const body = (async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk as string);
  })();
  const onData = async (data: string) => found.push(data) > 0;
  await readEvents(body, { most: 1_000, onData, onJunk: () => true });
  return found;
}

describe("events", () => {
  it("are the same whatever their lines end with, wherever they are cut, and with a mark before them", async () => {
    const lines = ["event: message", "data: one", "data: more", "", ": nothing", "data:two", "", ""];
    for (const end of ["\n", "\r", "\r\n"]) {
      const text = `\ufeff${lines.join(end)}`;
      expect(await eventsIn(text)).toEqual(["one\nmore", "two"]);
      expect(
        await eventsIn(
          ...Buffer.from(text)
            .toString("latin1")
            .split("")
            .map((one) => Buffer.from(one, "latin1")),
        ),
      ).toEqual(["one\nmore", "two"]);
    }
  });

  it("are taken one after another", async () => {
    const taken: string[] = [];
    const body = (async function* () {
      yield Buffer.from("data: 1\n\ndata: 2\n\ndata: 3\n\n");
    })();
    const onData = async (data: string) => {
      taken.push(`${data} begins`);
      await new Promise(setImmediate);
      taken.push(`${data} ends`);
      return data !== "2";
    };
    await readEvents(body, { most: 1_000, onData, onJunk: () => true });
    expect(taken).toEqual(["1 begins", "1 ends", "2 begins", "2 ends"]);
  });

  it("and a whole body are read without their mark", async () => {
    const body = (async function* () {
      yield Buffer.from("\ufeff{}");
    })();
    expect(await readWhole(body, 10)).toBe("{}");
  });
});

describe("what may be a key", () => {
  const entry = (url: string, headers: Record<string, string> = {}) => ({ url, headers, isPrivate: false });
  const values = (written: ReturnType<typeof entry>, ready: ReturnType<typeof entry>) =>
    keysIn(inWorkspace(written, "/home/me/projects/source-1"), ready).map(({ value }) => value);

  it("is no part of the workspace's path", () => {
    expect(
      values(
        entry(`https://a.example/\${workspaceFolder}/\${KEY}`, { "x-root": `\${workspaceFolder:-x}` }),
        entry("https://a.example//home/me/projects/source-1/path-key-1", { "x-root": "/home/me/projects/source-1" }),
      ),
    ).toEqual(["path-key-1"]);
  });

  it("is no word that stands in paths and schemas, unless a header's name says that it is one", () => {
    const ready = (value: string) =>
      entry("https://a.example/", { "x-branch": value, Authorization: `Negotiate ${value}` });
    const written = entry("https://a.example/", { "x-branch": `\${B}`, Authorization: `Negotiate \${B}` });
    expect(values(written, ready("repository"))).toEqual(["Negotiate repository"]);
    expect(
      values(
        entry("https://a.example/", { "x-key": "correcthorse" }),
        entry("https://a.example/", { "x-key": "correcthorse" }),
      ),
    ).toEqual(["correcthorse"]);
  });

  it("is masked piece by piece, and across two of them", async () => {
    const words = maskedWords([{ name: "header x-key", value: "k3y-that-nobody-sees" }]);
    let breaths = 0;
    let isOver = false;
    const count = (): void => {
      breaths += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const told = await words.inPieces(`${"x".repeat(32_760)}k3y-that-nobody-sees${"y".repeat(500_000)}`);
    isOver = true;
    expect(told.slice(32_750, 32_800)).toBe(`${"x".repeat(10)}(its header x-key)${"y".repeat(22)}`);
    expect(breaths).toBeGreaterThan(10);
  });

  it("is not shown in an address, with any signs in it", () => {
    expect(shownUrl("https://u:p@ss@host.example/a@b?k=v#x")).toBe("https://…@host.example/a@b?k=…#x");
    expect(shownUrl("https://host.example/a@b")).toBe("https://host.example/a@b");
  });
});

it("a proxy that takes a connection and never answers leaves nothing sent, and is not waited for without an end", async () => {
  const heard: string[] = [];
  const proxy = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (data) => heard.push(String(data).split(" ", 1)[0] ?? ""));
  });
  await new Promise<void>((ready) => proxy.listen(0, "127.0.0.1", ready));
  onTestFinished(() => void proxy.close());
  const { port } = proxy.address() as { port: number };
  const asked = checkedStream({
    url: new URL("https://hub.example.com/mcp"),
    method: "POST",
    headers: {},
    body: "{}",
    host: { host: "hub.example.com" },
    proxy: `http://127.0.0.1:${port}`,
    lookup: async () => [],
    signal: new AbortController().signal,
    connectMs: 300,
  });
  const error = await asked.catch((one: unknown) => one);
  expect(error).toBeInstanceOf(NotReached);
  expect(error).toMatchObject({ cause: { message: "no connection came about within 0.3 s" } });
  expect(heard).toEqual(["CONNECT"]);
});

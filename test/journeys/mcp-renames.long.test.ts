import { writeFile } from "node:fs/promises";
import { expect, it, vi } from "vitest";
import type { Place, Told } from "../support/cli.ts";
import { openMcpPlace } from "../support/mcp.ts";
import { openHttpPlace, startMcpHttp } from "../support/mcp-http.ts";
import { asks, says } from "../support/model-server.ts";

const goes = ["run", "go", "--mode", "full-auto", "--sandbox", "off"];

const settled = (ran: Told) =>
  ran.of("tool_call").flatMap(({ call }) => (["success", "error", "cancelled"].includes(call.status) ? [call] : []));

/** A person's place with a trusted server that can call its tool `echo` otherwise. */
interface Renaming {
  place: Place;
  name: string;
  /** Of a tool that says that the tools are others. */
  renews: string;
  /** `echo` is `repeat` from now on. */
  rename(): Promise<void>;
  /** How often it was asked for its tools. */
  lists(): number;
  calls(): string[];
}

async function overStdio(): Promise<Renaming> {
  const place = await openMcpPlace();
  return {
    ...{ place, name: "small", renews: "renews" },
    rename: () => writeFile(`${place.changed}.renames`, JSON.stringify({ echo: "repeat" })),
    lists: () => place.noted().filter((line) => line === "list").length,
    calls: () => place.noted().filter((line) => line.startsWith("call ")),
  };
}

async function overHttp(): Promise<Renaming> {
  const call = () => {
    web.tell("notifications/tools/list_changed");
    return "renewed";
  };
  const web = await startMcpHttp({ renews: { description: "Says that it is another one.", call } });
  return {
    ...{ place: await openHttpPlace(web), name: "web", renews: "renews" },
    async rename() {
      const { echo, ...others } = web.tools;
      if (echo !== undefined) web.tools = { ...others, repeat: echo };
    },
    lists: () => web.seen.filter((line) => line === "POST tools/list").length,
    calls: () => web.calls(),
  };
}

const off = {
  status: "error",
  errorCode: "DENIED",
  errorMsg: expect.stringContaining("the server does not have it any more since it was trusted"),
};

it.each([
  { way: "stdio", open: overStdio },
  { way: "HTTP", open: overHttp },
])(
  "over $way: a tool that the server calls otherwise is off, and it is said why; under its new name it is unknown until it is trusted, and other tools go on",
  async ({ open }) => {
    const { place, name, renews, rename, lists, calls } = await open();
    const [before, now] = [`mcp__${name}__echo`, `mcp__${name}__repeat`];
    place.server.push(
      asks(before, { text: "a" }),
      async () => {
        await rename();
        return asks(`mcp__${name}__${renews}`, {});
      },
      async () => {
        // Once for the trust, once as it was started, and once more now that it said so.
        await vi.waitFor(() => expect(lists()).toBeGreaterThanOrEqual(3), { timeout: 20_000 });
        return asks(before, { text: "b" });
      },
      asks(now, { text: "c" }),
      asks(`mcp__${name}__${renews}`, {}),
      says("Done."),
    );
    const ran = await place.json(goes);
    expect(settled(ran)).toMatchObject([
      { status: "success", result: { output: "a" } },
      { status: "success", result: { output: "renewed" } },
      off,
      { status: "error", errorCode: "UNKNOWN_TOOL" },
      { status: "success", result: { output: "renewed" } },
    ]);
    const made = ["call echo", "call renews", "call renews"];
    expect(calls()).toEqual(made);

    // So it is where the server was another one from its start on.
    place.server.push(asks(before, { text: "d" }), asks(now, { text: "e" }), says("Done."));
    expect(settled(await place.json(goes))).toMatchObject([off, { errorCode: "UNKNOWN_TOOL" }]);
    const tested = await place.run(["mcp", "test", name]);
    expect([tested.code, tested.stdout]).toEqual([1, expect.stringContaining("repeat")]);
    expect(calls()).toEqual(made);

    expect((await place.run(["mcp", "trust", name, "--yes"])).code).toBe(0);
    place.server.push(asks(now, { text: "f" }), asks(before, { text: "g" }), says("Done."));
    expect(settled(await place.json(goes))).toMatchObject([{ result: { output: "f" } }, { errorCode: "UNKNOWN_TOOL" }]);
    expect(calls()).toEqual([...made, "call repeat"]);
  },
);

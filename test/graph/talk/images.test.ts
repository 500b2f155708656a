import { writeFile } from "node:fs/promises";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { displayLines } from "../../../src/cli/print/plain-printer.ts";
import type { ImageRef } from "../../../src/core/tool.ts";
import { createImageShower, imagesKey } from "../../../src/graph/talk/show-images.ts";
import type { ModelMessage, ModelRequest } from "../../../src/model/port.ts";
import { openScript } from "../../../src/model/script.ts";
import { forkSession } from "../../../src/records/fork.ts";
import { makePng } from "../../support/pictures.ts";
import { calls, type Line, openStage, type Stage, says, toolOf } from "../../support/play.ts";

const green = makePng(6, 4, { paint: () => [0, 255, 0, 255] });
const urlOf = (png: Buffer): string => `data:image/png;base64,${png.toString("base64")}`;
const image = (png: Buffer, name = "shot.png"): ImageRef => ({
  name,
  mediaType: "image/png",
  data: png.toString("base64"),
});

/** A stage whose model sees, or does not; and what it was asked. */
async function stageWith(lines: Line[], { vision = true, tools = [] as ReturnType<typeof toolOf>[] } = {}) {
  const requests: ModelRequest[] = [];
  const script = { requests: lines.map((line, i) => ({ ...line, line: i + 1 })), person: [] };
  const openModel = async (spec: string) => {
    const model = openScript(script, { spec, name: "the test" });
    const heard = (request: ModelRequest, signal: AbortSignal) => {
      requests.push(request);
      return model.stream(request, signal);
    };
    return { ...model, vision, stream: heard };
  };
  const stage = await openStage({ lines: [], tools, parts: { openModel } });
  await writeFile(stage.path("shot.png"), green);
  return { stage, requests };
}

/** What a message says, and the addresses of its pictures. */
function readOf(message: ModelMessage | undefined): [text: string, ...urls: string[]] {
  if (message === undefined || typeof message.content === "string") return [String(message?.content)];
  const blocks = message.content as { type: string; text?: string; image_url?: { url: string } }[];
  const texts = blocks.flatMap(({ text }) => text ?? []).join(" ");
  return [texts, ...blocks.flatMap(({ image_url: url }) => url?.url ?? [])];
}

const lastOf = (requests: ModelRequest[]): ModelMessage[] => requests.at(-1)?.messages ?? [];
const about = "picture shot.png: PNG, 6x4 pixels";
const readShot = calls(["read_file", { file_path: "shot.png" }]);
const pictures = (requests: ModelRequest[]): string[] =>
  lastOf(requests).flatMap((message) => readOf(message).slice(1));

describe("a picture that the model reads", () => {
  it("follows the results of its step, and lies in the store once, by its hash", async () => {
    const { stage, requests } = await stageWith([
      calls(["ls", {}], ["read_file", { file_path: "shot.png" }]),
      readShot,
      says("Green."),
    ]);
    const life = await stage.begin("look");
    const [, , , ls, read, shown] = lastOf(requests);
    expect([ls, read, shown].map((message) => message?.getType())).toEqual(["tool", "tool", "human"]);
    expect(readOf(read)).toEqual([`shot.png: PNG picture, 6x4 pixels, ${green.length} bytes`]);
    expect(readOf(shown)).toEqual([
      `(From the agent, not from the person: pictures of the call c2) [${about}, ${green.length} bytes]`,
      urlOf(green),
    ]);
    expect(life.call("c3")).toMatchObject({
      result: { images: [{ name: "shot.png", mediaType: "image/png", bytes: green.length, width: 6, height: 4 }] },
    });
    expect(JSON.stringify(life.journal().allCalls())).not.toContain(green.toString("base64"));
    expect(life.store.kept().versions).toBe(1);
  });

  it("is described to a model that is not known to see", async () => {
    const { stage, requests } = await stageWith([readShot, says("So it is.")], { vision: false });
    await stage.begin("look");
    expect(readOf(lastOf(requests).at(-1))).toEqual([
      `shot.png: PNG picture, 6x4 pixels, ${green.length} bytes\n[${about}, ${green.length} bytes; it is not shown: this model is not known to see]`,
    ]);
  });

  it("is shown for two more turns and then described, in the same bytes by whichever process", async () => {
    const { stage, requests } = await stageWith([readShot, ...Array.from({ length: 9 }, () => says("Yes."))]);
    const life = await stage.begin("look");
    const counts: number[] = [];
    for (const text of ["one", "two", "three"]) {
      await life.session.submit(text);
      await life.session.settled();
      counts.push(pictures(requests).length);
    }
    expect(counts).toEqual([1, 1, 0]);
    expect(JSON.stringify(lastOf(requests))).toContain(
      `${about}, ${green.length} bytes; it was shown some turns ago, and is no longer`,
    );
    const before = lastOf(requests).map(readOf);
    await life.close();
    const again = await stage.resume(life.session.id, { still: true });
    await again.session.submit("four");
    await again.session.settled();
    expect(lastOf(requests).map(readOf).slice(0, before.length)).toEqual(before);
  });

  it("gives way to newer ones where there are more than twenty, ten at a time", () => {
    const named = { name: "a.png", mediaType: "image/png", sha: "0", bytes: 1, width: 1, height: 1 };
    const read = (count: number) =>
      Array.from(
        { length: count },
        (_, i) => new ToolMessage({ tool_call_id: `c${i}`, content: "read", artifact: { [imagesKey]: [named] } }),
      );
    const shower = createImageShower({ turns: () => [], bytesOf: () => green });
    const shown = (count: number): string[] =>
      shower.show(read(count), true).map((message) => message.getType()[0] ?? "");
    expect([20, 21, 30, 31].map((count) => shown(count).filter((type) => type === "h").length)).toEqual([
      20, 11, 20, 11,
    ]);
    const [oldest] = shower.show(read(21), true);
    expect(oldest?.content).toContain("it is not shown any more: there are too many newer ones");
  });

  it("is described where it is not kept any more", () => {
    const named = { name: "a.png", mediaType: "image/png", sha: "0", bytes: 1, width: 1, height: 1 };
    const said = new HumanMessage({ content: "look", additional_kwargs: { [imagesKey]: [named] } });
    const [shown] = createImageShower({ turns: () => [], bytesOf: () => undefined }).show([said], true);
    expect(shown?.content).toBe("look\n[picture a.png: PNG, 1x1 pixels, 1 bytes; it is not kept any more]");
  });
});

describe("a picture of the person", () => {
  it("comes with its message, and is there after the process that took it", async () => {
    const { stage, requests } = await stageWith([says("Green."), says("Still green.")]);
    const life = await stage.begin("hello");
    await life.session.submit("what is it?", [image(green)]);
    await life.session.settled();
    expect(readOf(lastOf(requests).at(-1))).toEqual([`what is it? [${about}, ${green.length} bytes]`, urlOf(green)]);
    expect(life.journal().turns().at(-1)?.text).toBe("what is it?");
    expect(life.store.kept().versions).toBe(1);
    await life.close();
    const again = await stage.resume(life.session.id, { still: true });
    await again.session.submit("and now?");
    await again.session.settled();
    expect(pictures(requests)).toEqual([urlOf(green)]);
  });

  it("is decoded before it is kept: what is none is refused, and no message is there", async () => {
    const { stage } = await stageWith([says("Hello.")]);
    const life = await stage.begin("hello");
    const broken = { name: "a.png", mediaType: "image/png", data: green.subarray(0, 60).toString("base64") };
    await expect(life.session.submit("look", [broken])).rejects.toThrow("a.png cannot be decoded");
    for (const given of ["x", {}, [null], [{}], [{ name: "a", data: 5 }], [{ data: "AAAA" }]] as never[])
      await expect(life.session.submit("look", given)).rejects.toThrow("the pictures of a message are a list");
    await expect(
      life.session.submit(
        "look",
        Array.from({ length: 11 }, () => image(green)),
      ),
    ).rejects.toThrow("at most 10 pictures");
    await expect(life.session.submit("look", [{ name: "a", path: "shot.png" }])).rejects.toThrow("not by a path");
    expect(life.journal().turns()).toHaveLength(1);
  });

  it("goes along into a fork, with those that calls have read", async () => {
    const { stage, requests } = await stageWith([readShot, says("Green."), says("Red."), says("Both.")]);
    const life = await stage.begin("look");
    const red = makePng(6, 4);
    await life.session.submit("and this?", [image(red, "red.png")]);
    await life.session.settled();
    const row = life.store.sessions.get(life.session.id);
    const fork = row && (await forkSession(life.store, row));
    await life.close();
    const forked = await stage.resume(fork?.id ?? "", { still: true });
    await forked.store.sessions.remove(life.session.id);
    await forked.session.submit("which colours?");
    await forked.session.settled();
    expect(pictures(requests)).toEqual([urlOf(green), urlOf(red)]);
  });
});

describe("a picture that a tool gives", () => {
  const lives = async (images: ImageRef[], stageFiles?: (stage: Stage) => Promise<void>) => {
    const { stage, requests } = await stageWith([calls(["look", {}]), says("Seen.")], {
      tools: [toolOf("look", () => ({ output: "done", images }))],
    });
    await stageFiles?.(stage);
    const life = await stage.begin("look");
    return { life, requests, output: readOf(lastOf(requests).find(({ id }) => id === "o-c1"))[0] };
  };

  it("counts by its bytes or by the path of a file that may be read", async () => {
    const { requests, output } = await lives([
      image(green, "a.png"),
      { name: "b", mediaType: "image/png", path: "shot.png" },
    ]);
    expect([output, ...pictures(requests)]).toEqual(["done", urlOf(green), urlOf(green)]);
  });

  it("is left out, and told, where it is none or may not be read; the call is done all the same", async () => {
    const { life, requests, output } = await lives(
      [
        { name: "text", mediaType: "image/png", data: Buffer.from("no picture").toString("base64") },
        { name: "far", mediaType: "image/png", path: "/etc/hostname" },
        { name: "key", mediaType: "image/png", path: ".env" },
      ],
      (stage) => stage.put(".env", "SECRET=1"),
    );
    expect(life.call("c1").status).toBe("success");
    expect(pictures(requests)).toEqual([]);
    expect(output.split("\n")).toEqual([
      "done",
      "(the picture text is left out: text is no picture: it is cut off, or of another kind)",
      expect.stringMatching(/^\(the picture far is left out: .*not inside the workspace/),
      "(the picture key is left out: it may not be read without asking)",
    ]);
  });

  it("needs no kind and no name, and what cannot be one is left out, and told", async () => {
    const data = green.toString("base64");
    const given = [{ name: "a", data }, { data }, null, { name: 5, data: 5 }] as unknown as ImageRef[];
    const { requests, output } = await lives(given);
    expect([output, ...pictures(requests)]).toEqual([
      "done\n(2 pictures of the result are left out: a picture is { name, data } with its bytes in base64, or { name, path })",
      urlOf(green),
      urlOf(green),
    ]);
  });

  it("cannot name other bytes that the session keeps", async () => {
    const forged = { name: "x", mediaType: "image/png", sha: "0".repeat(64), width: 1, height: 1 } as ImageRef;
    const { life, output } = await lives([forged]);
    expect(output).toMatch(/the picture x is left out/);
    expect(life.call("c1")).not.toHaveProperty("result.images");
  });
});

it("names the files that come with a result, to the model and to the person", async () => {
  const attachments = ["out/report.pdf", "data.csv"];
  const { stage, requests } = await stageWith([calls(["look", {}]), says("Made.")], {
    tools: [toolOf("look", () => ({ output: "done", attachments }))],
  });
  const life = await stage.begin("make it");
  expect(readOf(lastOf(requests).at(-1))).toEqual(["done\n(Files that come with it: out/report.pdf, data.csv)"]);
  expect(displayLines(life.call("c1"))).toEqual(["  attached: out/report.pdf", "  attached: data.csv"]);
});

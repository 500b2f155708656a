import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { makePng } from "../support/pictures.ts";

const green = makePng(6, 4, { paint: () => [0, 255, 0, 255] });
const url = `data:image/png;base64,${green.toString("base64")}`;

async function seeing(place: Place, server = "openai"): Promise<void> {
  const servers = { mistral: { baseUrl: place.server.url, apiKeyEnv: "OPENAI_API_KEY" } };
  await writeFile(
    join(place.home, "config.json"),
    JSON.stringify({ servers, models: { [`${server}:*`]: { vision: true } } }),
  );
  await writeFile(place.path("shot.png"), green);
}

/** Roles and pictures of the newest request. */
const sent = (place: Place) =>
  (place.server.requests.at(-1)?.body.messages ?? []).map(({ role, content }) => {
    const blocks = Array.isArray(content) ? (content as { image_url?: { url: string } }[]) : [];
    return [role, ...blocks.flatMap(({ image_url: image }) => image?.url ?? [])];
  });

describe("pictures of the person", () => {
  it("come with -i, are told in the events, and play again from an export", async () => {
    const place = await openPlace([says("Green.")]);
    await seeing(place);
    const told = await place.json(["run", "which colour?", "-i", "shot.png"]);
    expect(told.end).toMatchObject({ reason: "done", exitCode: 0 });
    expect(told.the("user_message").text).toBe("which colour?");
    expect(sent(place)).toEqual([["system"], ["user", url]]);

    const file = join(place.home, "export.ndjson");
    expect(await place.run(["sessions", "export", told.session, "-o", file])).toMatchObject({ code: 0 });
    const again = await place.json(["run", "-m", `script:${file}`]);
    place.server.push(says("Still green."));
    await place.json(["run", "and now?", "--session", again.session, "-m", "openai:test-model"]);
    expect(sent(place)).toEqual([["system"], ["user", url], ["assistant"], ["user"]]);
  });

  it("that cannot be read end the run before anything is sent", async () => {
    const place = await openPlace();
    await seeing(place);
    const ran = await place.run(["run", "which colour?", "-i", "gone.png"]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("-i: gone.png does not exist") });
    expect(await place.run(["sessions", "list", "--json"])).toMatchObject({ stdout: "" });
  });

  it.each([
    [["-i", ""], "-i needs the name of a picture"],
    [
      Array.from({ length: 11 }, () => ["-i", "shot.png"]).flat(),
      "-i: a message has at most 10 pictures, and these are 11",
    ],
  ])("are refused by a word of use: %j", async (flags, said) => {
    const place = await openPlace();
    await seeing(place);
    expect(await place.run(["run", "which colour?", ...flags])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(said),
    });
    expect(await place.run(["sessions", "list", "--json"])).toMatchObject({ stdout: "" });
  });

  it("of a script that are none end its run by a word, and by no defect", async () => {
    const place = await openPlace();
    const broken = { prompt: "look", images: [{ name: "a.png", mediaType: "image/png", data: "AAAA" }] };
    const lines = [{ v: 1, kind: "holdfast-script" }, broken, { text: "Seen." }];
    await writeFile(place.path("s.ndjson"), lines.map((line) => JSON.stringify(line)).join("\n"));
    const ran = await place.run(["run", "-m", "script:s.ndjson"]);
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("a.png is no picture") });
  });

  it("are described to a model that is not known to see, and the person is told", async () => {
    const place = await openPlace([says("I cannot see it.")]);
    await writeFile(place.path("shot.png"), green);
    const told = await place.json(["run", "which colour?", "-i", "shot.png"]);
    expect(told.the("notice")).toMatchObject({ code: "images_not_seen" });
    expect(place.heard(0, -1)).toContain("[picture shot.png: PNG, 6x4 pixels");
  });
});

it("a picture that a message in the chat names is told of there, and so is one that cannot be sent", async () => {
  const place = await openPlace([says("Green."), says("None.")]);
  await seeing(place);
  await writeFile(place.path("two words.png"), green);
  const pty = place.chat(["chat", 'which colours? @shot.png @"two words.png"'], { cols: 60, rows: 20 });
  await pty.waitFor("Green.");
  expect(pty.scrollback().join("\n")).toContain("\n· attached: shot.png (6x4), two words.png (6x4)\n");
  expect(sent(place)).toEqual([["system"], ["user", url, url]]);
  await pty.waitFor((one) => one.screen().join("\n").includes("ask, or / for commands"));
  pty.type("and @gone.png ?");
  await pty.waitFor("@gone.png ?");
  pty.key("enter");
  await pty.waitFor("None.");
  expect(pty.scrollback().join("\n")).toContain("not attached: gone.png does not exist");
  expect(pty.scrollback().filter((row) => row.includes("· attached"))).toHaveLength(1);
  pty.key("ctrl-d");
  await pty.exit;
});

describe("a picture that the model reads", () => {
  it("follows the result as servers take it", async () => {
    const place = await openPlace([asks("read_file", { file_path: "shot.png" }), says("Green.")]);
    await seeing(place);
    await place.json(["run", "look"]);
    expect(sent(place)).toEqual([["system"], ["user"], ["assistant"], ["tool"], ["user", url]]);
  });

  it("comes after a word of the model where the user may not speak right after a result", async () => {
    const place = await openPlace([asks("read_file", { file_path: "shot.png" }), says("Green.")]);
    await seeing(place, "mistral");
    await place.json(["run", "look", "-m", "mistral:pixtral"]);
    expect(sent(place)).toEqual([["system"], ["user"], ["assistant"], ["tool"], ["assistant"], ["user", url]]);
  });

  it("is seen by a model without function calling too", async () => {
    const place = await openPlace(
      [asks("read_file", { file_path: "shot.png" }), says("Green.")],
      {},
      { toolFormat: "xml" },
    );
    await seeing(place);
    await place.json(["run", "look", "--tool-format", "xml"]);
    expect(sent(place)).toEqual([["system"], ["user"], ["assistant"], ["user"], ["user", url]]);
  });
});

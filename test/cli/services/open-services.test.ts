import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { compose } from "../../../src/cli/composition.ts";
import type { Io } from "../../../src/cli/io.ts";
import { sessionServices } from "../../../src/cli/services/open-services.ts";
import type { SessionServices } from "../../../src/cli/services/session-services.ts";
import { refOf } from "../../../src/core/call-ref.ts";
import type { Session } from "../../../src/session/session.ts";
import { openPlace, type Place } from "../../support/cli.ts";

/** A scripted model that writes this into a.txt, and waits for the person first. */
const scriptOf = (content: string): string =>
  [
    { v: 1, kind: "holdfast-script" },
    { calls: [{ name: "write_file", arguments: { file_path: "a.txt", content } }] },
    { text: `wrote ${content}` },
  ]
    .map((line) => JSON.stringify(line))
    .join("\n");

/** Approves the first call that it asks about, and tells its last words. */
async function approved(session: Session): Promise<string | undefined> {
  for await (const event of session.events()) {
    if (event.type === "approval_requested")
      for (const call of event.calls) await session.answer(refOf(call), { decision: "approve", digest: call.digest });
    if (event.type === "turn_ended" && event.reason !== "awaiting_approval") return event.text;
  }
  return undefined;
}

/** The services of a process that was started in this folder. */
async function servicesIn({ env }: Place, folder: string): Promise<SessionServices> {
  const io = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, env, cwd: () => folder };
  const composition = await compose(io as Io, { allow: [] });
  onTestFinished(() => composition.close());
  return sessionServices(composition);
}

/** The types of all that a session tells until it is closed. */
async function toldBy(session: Session): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of session.events()) types.push(type);
  return types;
}

it("one process has sessions of two folders and two models at once, each with its own calls, and finds them by folder", async () => {
  const place = await openPlace();
  const [one, two] = [join(place.workspace, "one"), join(place.workspace, "two")];
  for (const folder of [one, two]) {
    await mkdir(folder);
    await writeFile(`${folder}.jsonl`, scriptOf(folder === one ? "1" : "2"));
  }
  const services = await servicesIn(place, one);
  const begun = await Promise.all(
    [one, two].map((workspace) =>
      services.sessions.begin({ workspace, model: `script:${workspace}.jsonl`, mode: "ask" }),
    ),
  );
  onTestFinished(async () => void (await Promise.all(begun.map((session) => session.close()))));
  const ends = begun.map(approved);
  await Promise.all(begun.map((session) => session.submit("go")));
  expect(await Promise.all(ends)).toEqual(["wrote 1", "wrote 2"]);
  expect(await Promise.all([one, two].map((folder) => readFile(join(folder, "a.txt"), "utf8")))).toEqual(["1", "2"]);
  const talks = await Promise.all(begun.map(({ id }) => services.about.talk(id)));
  expect(talks.map(({ transcript }) => transcript.filter(({ role }) => role === "call").length)).toEqual([1, 1]);
  const said = await Promise.all([one, two].map((folder) => services.folder.earlierMessages(folder)));
  expect(said).toEqual([["go"], ["go"]]);
  expect(await services.about.diff(begun[1]?.id ?? "")).toHaveLength(1);
});

it("begins no session in a mode that its folder cannot have, nor in one whose settings are broken", async () => {
  const place = await openPlace();
  const { sessions } = await servicesIn(place, place.workspace);
  const home = place.env["HOME"] ?? "";
  const wide = sessions.begin({ workspace: home, model: "demo", mode: "accept-edits" });
  await expect(wide).rejects.toThrow("the mode accept-edits is not for");
  await place.write(".holdfast/config.json", "{");
  const broken = sessions.begin({ workspace: place.workspace, model: "demo", mode: "ask" });
  await expect(broken).rejects.toThrow("config.json");
});

it("takes over a stored session with its own model; what was left goes on by itself where that is asked", async () => {
  const place = await openPlace();
  const { workspace } = place;
  const model = `script:${workspace}.jsonl`;
  await writeFile(`${workspace}.jsonl`, scriptOf("1"));
  const { sessions } = await servicesIn(place, workspace);
  const first = await sessions.begin({ workspace, model, mode: "ask" });
  await first.submit("go");
  await first.settled();
  await first.close();
  const asked: boolean[] = [];
  for (const goesOn of [false, true]) {
    const opened = await sessions.open(goesOn ? first.id : undefined, { goesOn });
    expect(opened.model).toBe(model);
    const told = toldBy(opened.session);
    await opened.session.settled();
    await opened.session.close();
    asked.push((await told).includes("approval_requested"));
  }
  expect(asked).toEqual([false, true]);
  await expect(sessions.open("no-such")).rejects.toThrow('there is no session "no-such"');
});

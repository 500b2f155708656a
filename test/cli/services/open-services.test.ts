import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { compose } from "../../../src/cli/composition.ts";
import type { Io } from "../../../src/cli/io.ts";
import { sessionServices } from "../../../src/cli/services/open-services.ts";
import { refOf } from "../../../src/core/call-ref.ts";
import type { Session } from "../../../src/session/session.ts";
import { openPlace } from "../../support/cli.ts";

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

it("one process has sessions of two folders and two models at once, each with its own calls, and finds them by folder", async () => {
  const place = await openPlace();
  const [one, two] = [join(place.workspace, "one"), join(place.workspace, "two")];
  for (const folder of [one, two]) {
    await mkdir(folder);
    await writeFile(`${folder}.jsonl`, scriptOf(folder === one ? "1" : "2"));
  }
  const io = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, env: place.env, cwd: () => one };
  const composition = await compose(io as Io, { allow: [], model: "demo" });
  onTestFinished(() => composition.close());
  const services = sessionServices(composition);
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
  expect(talks.map((talk) => talk.filter(({ role }) => role === "call").length)).toEqual([1, 1]);
  const said = await Promise.all([one, two].map((folder) => services.folder.earlierMessages(folder)));
  expect(said).toEqual([["go"], ["go"]]);
  expect(await services.about.diff(begun[1]?.id ?? "")).toHaveLength(1);
});

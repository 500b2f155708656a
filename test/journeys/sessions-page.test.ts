import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, type Reply, says } from "../support/model-server.ts";
import { markdownKinds, outlineOf } from "../support/page-words.ts";
import { answersIn } from "../support/talks.ts";

const edit = (old: string, by: string): Reply =>
  asks("edit_file", { file_path: "a.txt", old_string: old, new_string: by });

/** Each session by its first words. */
const talks: Readonly<Record<string, readonly Reply[]>> = {
  "mend a.txt": [
    asks("goal", { action: "add", text: "mend it" }, { text: "I plan." }),
    edit("one", "1"),
    edit("two", "2"),
    asks("shell", { command: "ls", description: "look" }),
    asks("agent", { task: "look at a" }),
    says("All done."),
  ],
  "look at a": [edit("two", "zwei"), says("The helper is done.")],
};

/** A talk with a plan, an edit that is approved, one that is denied, a command, and a helper whose edit is taken back. */
async function talked(): Promise<{ place: Place; session: string }> {
  const answer = answersIn(talks);
  const place = await openPlace(Array(20).fill(answer), { "a.txt": "one\ntwo\n" });
  const { session } = await place.json(["run", "mend a.txt"]);
  await place.json(["resume", session, "--approve", "c2"]);
  let ran = await place.json(["resume", session, "--deny", "c3", "--reason", "two is right"]);
  // The command, where it asks, and the helper's edit.
  for (let more = 0; more < 3 && ran.end.reason === "awaiting_approval"; more += 1)
    ran = await place.json(["resume", session, "--approve", "all"]);
  expect(ran.end.reason).toBe("done");
  await place.json(["undo", session, "c5"]);
  expect((await place.json(["resume", session, "--approve", "all"])).code).toBe(0);
  return { place, session };
}

const exportTo = (place: Place, session: string, file: string, more: string[] = []) =>
  place.spawn(["sessions", "export", session, "-o", file, ...more]).done;

describe("a session as a page", () => {
  it("tells all that was said and done, and who let it be done", async () => {
    const { place, session } = await talked();
    const file = join(place.home, "talk.html");
    const ran = await exportTo(place, session, file, ["--utc"]);
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    expect(ran.stderr).toMatch(/^exported .* to .*talk\.html\nlooked for: secrets of this environment/u);
    const { document } = parseHTML(await readFile(file, "utf8"));
    const heads = [...document.querySelectorAll("details.call > summary")].map((one) =>
      (one.textContent ?? "")
        .replace(/[\da-f]{12}/gu, "DIGEST")
        .replaceAll(session, "ID")
        .replace(/\d{8}T\d{4}/gu, "TIME"),
    );
    expect(heads.filter((head) => !head.includes(" ls "))).toEqual([
      "success g1 added: mend it c1 allowed by policy, rule table · DIGEST",
      "success edit a.txt (+1 -1) c2 approved by the person, by a flag · DIGEST",
      "denied edit a.txt (+1 -1) c3 denied by the person, by a flag: two is right · DIGEST",
      "success helper: done, 2 steps c5 allowed by policy, rule table · DIGEST",
      "success edit a.txt (+1 -1) ID@delegate-5-TIME-001:c1 approved by the person, by a flag · DIGEST · taken back by call c6",
      expect.stringMatching(/^success .* c6 approved by the person, by a flag · DIGEST$/u),
    ]);
    const helper = document.querySelector("details.call details.helper");
    expect(helper?.textContent).toContain("The helper is done.");
    expect(
      [...(helper?.querySelectorAll("pre.diff .removed, pre.diff .added") ?? [])].map((one) => one.textContent),
    ).toEqual([...["-two\n", "+zwei\n"]]);
    const text = document.body.textContent ?? "";
    for (const said of [
      "plan, 0 of 1 done",
      "g1 pending: mend it",
      "I plan.",
      "All done.",
      "exit code 0",
      "denied by the person: two is right",
    ])
      expect(text).toContain(said);
    expect(text).toMatch(/started \d{4}-\d\d-\d\d \d\d:\d\d UTC, last/u);
    const [digest] = /\b[\da-f]{64}\b/u.exec(text) ?? [];
    expect((await place.run(["sessions", "show", session, "--calls"])).stdout).toContain(String(digest));
  });

  it("is Markdown by its name or by a flag, and goes to stdout without a name", async () => {
    const { place, session } = await talked();
    const file = join(place.home, "talk.MD");
    await exportTo(place, session, file);
    const text = await readFile(file, "utf8");
    expect(text.startsWith("# `mend a.txt`\n")).toBe(true);
    expect(markdownKinds(text)).not.toContain("html");
    expect(await place.run(["sessions", "export", session, "--md"])).toMatchObject({ code: 0, stdout: text });
    const { stdout } = await place.run(["sessions", "export", session, "--html"]);
    expect(stdout).toMatch(/^<!doctype html>.*<\/html>\n$/su);
    expect((await place.run(["sessions", "export", session])).stdout).toContain('"holdfast-script"');
    expect(await readdir(place.workspace)).toEqual(["a.txt"]);
    expect((await place.run(["sessions", "export", session, "--md", "--html"])).code).toBe(2);
  });

  it("is written whole, private, and never over a file that is there", async () => {
    const place = await openPlace([says("Hello.")]);
    const { session } = await place.json(["run", "hi"]);
    const file = join(place.home, "pages", "talk.html");
    const nowhere = await exportTo(place, session, file);
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining(`${dirname(file)} does not exist`)]);
    const here = join(place.home, "talk.html");
    await exportTo(place, session, here);
    expect((await stat(here)).mode & 0o777).toBe(0o600);
    const before = await readFile(here, "utf8");
    const again = await exportTo(place, session, here, ["--md"]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("exists already: nothing was written")]);
    expect(await readFile(here, "utf8")).toBe(before);
    expect((await readdir(place.home)).filter((name) => name.includes(".tmp"))).toEqual([]);
    expect(basename(here)).toBe("talk.html");
  });

  it("has the names of secrets in their place", async () => {
    const secret = "s3cr3t<of>&me";
    const place = await openPlace([
      asks("write_file", { file_path: `${secret}.txt`, content: `a\nkey = ${secret}\n` }),
      says(`It is ${secret}.`),
    ]);
    const env = { MY_TOKEN: secret };
    const { session } = await place.json(["run", `begin with ${secret}`], { env });
    await place.json(["resume", session, "--approve", "all"], { env });
    for (const form of ["--html", "--md"]) {
      const { stdout, stderr } = await place.run(["sessions", "export", session, form], { env });
      expect(stdout).not.toContain("s3cr3t");
      // A page of HTML has its title twice.
      const count = stdout.split("‹MY_TOKEN›").length - (form === "--html" ? 2 : 1);
      expect(stderr).toContain(`replaced MY_TOKEN ${count} times`);
    }
  });

  it("is told as nothing else while a call waits", async () => {
    const place = await openPlace([asks("write_file", { file_path: "b.txt", content: "b\n" })]);
    const { session } = await place.json(["run", "begin"]);
    const { stdout } = await place.run(["sessions", "export", session, "--html"]);
    const { text } = outlineOf(stdout);
    expect(text).toContain("waits for you write b.txt (+1 -0) c1");
    expect(text).toContain("what it would change");
  });
});

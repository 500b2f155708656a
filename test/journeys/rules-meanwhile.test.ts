import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, type Reply, says } from "../support/model-server.ts";

const write = (file: string): Reply => asks("write_file", { file_path: file, content: "new\n" });
const rules = (decision: string, paths: string[]): string =>
  JSON.stringify({ rules: [{ tool: "write_file", paths, decision, why: "written meanwhile" }] });
const denied = rules("deny", ["b.txt"]);

const files = {
  "the user's policy.json": (place: Place) => join(place.home, "policy.json"),
  "the project's policy.json": (place: Place) => place.path(".holdfast/policy.json"),
};
type Which = keyof typeof files;

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

const workers = {
  "a session": { go: [write("a.txt"), write("b.txt"), write("c.txt")] },
  "a helper": { go: [asks("agent", { task: "work" })], work: [write("a.txt"), write("b.txt"), write("c.txt")] },
};
type Worker = keyof typeof workers;

/** A place whose model writes a.txt, b.txt and c.txt, a step each; before it says the second, `meanwhile` happens. */
async function placeOf(worker: Worker, meanwhile: (place: Place) => void): Promise<Place> {
  const talks: Readonly<Record<string, readonly Reply[]>> = workers[worker];
  const place: Place = await openPlace(
    Array.from({ length: 12 }, () => ({ body }) => {
      const said = String(body.messages.find(({ role }) => role === "user")?.content);
      const spoken = body.messages.filter(({ role }) => role === "assistant").length;
      const next = talks[said]?.[spoken] ?? says("So.");
      if (next.calls?.[0]?.arguments !== undefined && JSON.stringify(next.calls[0].arguments).includes("b.txt"))
        meanwhile(place);
      return next;
    }),
  );
  return place;
}

const each = (Object.keys(workers) as Worker[]).flatMap((worker) =>
  (Object.keys(files) as Which[]).map((which): [Worker, Which] => [worker, which]),
);
const written = (place: Place) => ["a.txt", "b.txt", "c.txt"].filter((file) => place.has(file));

describe("rules that are written while it works", () => {
  it.each(each)("bind the next call of %s, in %s", async (worker, which) => {
    const place = await placeOf(worker, (at) => put(files[which](at), denied));
    const ran = await place.json(["run", "go", "--mode", "full-auto"]);
    expect([ran.code, written(place)]).toEqual([10, ["a.txt", "c.txt"]]);
    expect(ran.of("decision").find(({ decision }) => decision === "deny")?.rule).toContain(files[which](place));
  });

  it.each(each)("and broken end the run of %s with 52, in %s, until they are mended", async (worker, which) => {
    const place = await placeOf(worker, (at) => put(files[which](at), denied.slice(0, -2)));
    const ran = await place.json(["run", "go", "--mode", "full-auto"]);
    expect([ran.code, written(place)]).toEqual([52, ["a.txt"]]);
    expect(ran.of("error").at(-1)?.message).toContain(`${files[which](place)}:1: `);
    put(files[which](place), denied);
    const resumed = await place.json(["resume", ran.session, "--mode", "full-auto"]);
    expect([resumed.code, written(place)]).toEqual([10, ["a.txt", "c.txt"]]);
  });

  it.each(Object.keys(files) as Which[])(
    "and put down by an editor that removes them first still bind, in %s",
    async (which) => {
      const place = await placeOf("a session", (at) => {
        const file = files[which](at);
        renameSync(file, `${file}~`);
        setTimeout(() => writeFileSync(file, "{"), 60);
        setTimeout(() => put(file, denied), 120);
      });
      put(files[which](place), denied);
      const ran = await place.json(["run", "go", "--mode", "full-auto"]);
      expect([ran.code, written(place)]).toEqual([10, ["a.txt", "c.txt"]]);
    },
  );

  it("and made a link that leads nowhere end the run with 52", async () => {
    const place = await placeOf("a session", (at) => symlinkSync("/nowhere", files["the user's policy.json"](at)));
    const ran = await place.json(["run", "go", "--mode", "full-auto"]);
    expect([ran.code, written(place)]).toEqual([52, ["a.txt"]]);
  });

  it.each(Object.keys(workers) as Worker[])("and taken away allow the next call of %s no more", async (worker) => {
    const allowed = rules("allow", ["*.txt"]);
    const place = await placeOf(worker, (at) => put(files["the user's policy.json"](at), '{"rules": []}'));
    put(files["the user's policy.json"](place), allowed);
    const ran = await place.json(["run", "go"]);
    expect([ran.code, written(place)]).toEqual([11, ["a.txt"]]);
  });
});

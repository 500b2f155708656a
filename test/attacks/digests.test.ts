import { expect, test } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";

/** A session whose one call waits, and what a plain run printed of it. */
async function waiting(): Promise<{ place: Place; session: string; digest: string; printed: string }> {
  const place = await openPlace([asks("write_file", { file_path: "a.txt", content: "1\n" }), says("Done.")]);
  const printed = (await place.run(["run", "write"])).stderr;
  const shown = await place.json(["resume"]);
  const [call] = shown.the("approval_requested").calls;
  return { place, session: shown.session, digest: call?.digest ?? "", printed };
}

test("F9, a digest that was ground out: what is no digest, or too short for one, approves nothing and says so", async () => {
  const { place, session, digest } = await waiting();
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  for (const bad of [`c1@${digest.slice(0, 8)}`, `c1@${digest.slice(0, 11)}`, `c1@${digest}0`, "c1@not-hexadecimal"]) {
    const refused = await place.run(["resume", session, "--approve", bad]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("a digest takes 12 to 64 characters");
  }
  const all = await place.run(["resume", session, "--approve", `all@${digest}`]);
  expect(all).toMatchObject({ code: 2, stderr: expect.stringContaining("a digest belongs to one call") });
  const other = `${digest.slice(0, 11)}${digest[11] === "0" ? "1" : "0"}`;
  expect((await place.run(["resume", session, "--approve", `c1@${other}`])).code).toBe(11);
  expect(place.has("a.txt")).toBe(false);
});

test("the name that a plain run prints of a call approves it, and the whole digest does", async () => {
  const one = await waiting();
  const [, name = ""] = /\[(c1@[0-9a-f]+)\]/.exec(one.printed) ?? [];
  expect(name).toBe(`c1@${one.digest.slice(0, 12)}`);
  expect((await one.place.run(["resume", one.session, "--approve", name])).code).toBe(0);
  expect(await one.place.read("a.txt")).toBe("1\n");
  const other = await waiting();
  expect((await other.place.run(["resume", other.session, "--approve", `c1@${other.digest}`])).code).toBe(0);
});

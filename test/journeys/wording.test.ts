import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openGrantBook } from "../../src/policy/files/grant-book.ts";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";

describe("agent policy check", () => {
  it("without a tool says how it is used", async () => {
    const ran = await (await openPlace()).run(["policy", "check"]);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain("takes a tool and its arguments as JSON, or --stdin");
    expect(ran.stderr).not.toContain("UNKNOWN_TOOL");
  });

  it("with arguments that are not JSON shows them as they were given", async () => {
    const ran = await (await openPlace()).run(["policy", "check", "write_file", "notjson"]);
    expect(ran).toMatchObject({ code: 2, stdout: "", stderr: 'agent: the arguments are not JSON: "notjson"\n' });
  });
});

describe("agent policy list", () => {
  it("lists the grants of sessions, by ids that revoke takes; with --session only that one's", async () => {
    const write = asks("write_file", { file_path: "b.txt", content: "b\n" });
    const place = await openPlace([says("Hi."), says("Hi."), write]);
    const { session } = await place.json(["run", "one"]);
    const other = await place.json(["run", "two"]);
    const book = openGrantBook(join(place.home, "grants.json"));
    for (const [id, key] of [
      ["g-one", session],
      ["g-two", other.session],
    ] as const)
      await book.add({ id, scope: "session", key, tool: "write_file", at: 1, why: "from the dialog" });

    const listed = (await place.run(["policy", "list"])).stdout.trimEnd().split("\n");
    expect(listed).toEqual([
      `allow  write_file  ·  from the dialog  ·  grant g-one (session ${session})`,
      `allow  write_file  ·  from the dialog  ·  grant g-two (session ${other.session})`,
    ]);
    const rows = (await place.run(["policy", "list", "--session", session, "--json"])).stdout.trimEnd().split("\n");
    expect(rows.map((row) => JSON.parse(row) as unknown)).toEqual([
      expect.objectContaining({ id: "g-one", scope: "session", session, decision: "allow" }),
    ]);

    expect(await place.run(["policy", "revoke", "g-one"])).toMatchObject({ code: 0 });
    expect((await place.json(["run", "write", "--session", session])).code).toBe(11);
  });
});

describe("what there is none of", () => {
  it("is named as what it was wanted for", async () => {
    const place = await openPlace();
    const ran = await place.run(["undo"]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(`there is no session of ${place.workspace} in which something could be undone`);
  });
});

describe("agent sessions show --diff", () => {
  it("shows a new file as coming from nothing, an empty one too", async () => {
    const place = await openPlace([
      asks("write_file", { file_path: "new.txt", content: "new\n" }),
      asks("write_file", { file_path: "empty.txt", content: "" }),
      says("Done."),
    ]);
    const { session } = await place.json(["run", "write", "--allow", "write_file"]);
    expect((await place.run(["sessions", "show", session, "--diff"])).stdout).toBe(
      "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,1 @@\n+new\n--- /dev/null\n+++ b/empty.txt\n",
    );
    expect((await place.run(["sessions"])).stdout).toMatch(/ {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}idle/);
  });
});

it("the demo's last words name a command that finds its session from anywhere", async () => {
  const place = await openPlace();
  const tour = await place.run(["chat", "--model", "demo"]);
  expect(tour.stdout).toContain("`agent sessions --all` lists this session");
  expect((await place.run(["sessions"])).stdout).toContain("no sessions of this folder");
  expect((await place.run(["sessions", "--all"])).stdout).toContain("holdfast-demo-");
});

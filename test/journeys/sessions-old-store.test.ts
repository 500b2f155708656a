import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { RawStore } from "../support/raw-store.ts";
import { toVersion1 } from "../support/version-1.ts";

const edit = { file_path: "a.txt", old_string: "one", new_string: "two" };

const pragma = (file: string, name: string): unknown => {
  const db = new RawStore(file);
  try {
    return db.one(`PRAGMA ${name}`);
  } finally {
    db.close();
  }
};

describe("a store of version 1", () => {
  it("opens, its sessions whole, and asks again about the call that waited", async () => {
    const place = await openPlace(
      [asks("read_file", { file_path: "a.txt" }), asks("edit_file", edit), says("Done."), says("More.")],
      { "a.txt": "one\n" },
    );
    const asked = await place.json(["run", "edit it"]);
    const [waiting] = asked.the("approval_requested").calls;
    const shown = await place.run(["sessions", "show", asked.session, "--json"]);
    const file = join(place.home, "agent.db");
    toVersion1(file);
    expect(pragma(file, "user_version")).toBe(1);

    const again = await place.json(["resume", asked.session]);
    expect(again).toMatchObject({ code: 11, end: { reason: "awaiting_approval" } });
    expect(again.the("approval_requested").calls).toMatchObject([
      { callId: "c2", digest: waiting?.digest, plan: { diff: waiting?.plan.diff } },
    ]);
    expect(pragma(file, "user_version")).toBeGreaterThan(1);
    expect((await place.run(["sessions", "show", asked.session, "--json"])).stdout).toBe(shown.stdout);

    expect(await place.json(["resume", asked.session, "--approve", `c2@${waiting?.digest}`])).toMatchObject({
      code: 0,
      end: { text: "Done." },
    });
    expect(await place.read("a.txt")).toBe("two\n");
    expect(await place.json(["resume", asked.session, "more"])).toMatchObject({ code: 0, end: { text: "More." } });
    expect((await place.run(["sessions", "verify"])).code).toBe(0);
  });

  it("whose file changed while it waited is asked about with the new change", async () => {
    const place = await openPlace([asks("edit_file", edit), says("Done.")], { "a.txt": "one\n" });
    const { session } = await place.json(["run", "edit it"]);
    toVersion1(join(place.home, "agent.db"));
    await place.write("a.txt", "one\nmore\n");
    expect(await place.json(["resume", session, "--approve", "all"])).toMatchObject({ code: 11 });
    expect(await place.read("a.txt")).toBe("one\nmore\n");
    expect(await place.json(["resume", session, "--approve", "all"])).toMatchObject({ code: 0 });
    expect(await place.read("a.txt")).toBe("two\nmore\n");
  });

  it("can be forked", async () => {
    const place = await openPlace([says("Hello."), says("On.")]);
    const { session } = await place.json(["run", "hi"]);
    toVersion1(join(place.home, "agent.db"));
    const id = (await place.run(["sessions", "fork", session])).stdout.trim();
    expect(await place.json(["resume", id, "go on"])).toMatchObject({ code: 0, end: { text: "On." } });
  });
});

import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { say } from "../support/scenes.ts";
import { endless } from "../support/under-way.ts";

const report = "# Report\n\none\ntwo\n";
const makes = asks(
  "create_artifact",
  { name: "Report", type: "markdown", content: report },
  { calls: [{ name: "update_artifact", arguments: { id: "a1", old_string: "two", new_string: "2" } }] },
);
const rewrites = asks("rewrite_artifact", { id: "a1", content: "# Short\n\nall\n" });
const updates = asks("update_artifact", { id: "a1", old_string: "all", new_string: "all of it" });

interface Listed {
  session: string;
  id: string;
  version: number | null;
  versions: readonly { version: number; how: string; callId: string; takenBack?: true }[];
}

async function listed(place: Place): Promise<Listed[]> {
  const { stdout } = await place.run(["artifacts", "list", "--json"]);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Listed);
}

describe("an artifact", () => {
  it("goes through four versions over a kill -9, is listed, shown, compared and exported, taken back and put again", async () => {
    let isKilled = false;
    const replies = [makes, rewrites, updates, says("Done.")];
    const place = await openPlace(
      Array(9).fill((request: { body: { messages: readonly { role: string }[] } }) => {
        const spoken = request.body.messages.filter(({ role }) => role === "assistant").length;
        return spoken === 2 && !isKilled ? endless : (replies[spoken] ?? says("Yes."));
      }),
    );
    const running = place.spawn(["run", "write a report", "--json"]);
    await running.shows("a1 is rewritten");
    running.child.kill("SIGKILL");
    isKilled = true;
    const { stdout } = await running.done;
    const { session } = JSON.parse(stdout.split("\n")[0] ?? "") as { session: string };
    const on = await place.json(["resume", session]);
    expect([on.code, on.of("approval_requested")]).toEqual([0, []]);

    const versions = [
      { version: 1, how: "create", callId: "c1" },
      { version: 2, how: "update", callId: "c2" },
      { version: 3, how: "rewrite", callId: "c3" },
      { version: 4, how: "update", callId: "c4" },
    ];
    expect(await listed(place)).toMatchObject([{ session, id: "a1", name: "Report", version: 4, versions }]);
    expect((await place.run(["artifacts"])).stdout).toMatch(
      new RegExp(`^${session}:a1  4 versions  \\S+ \\S+  markdown  Report\\n$`, "u"),
    );
    const shown = await place.run(["artifacts", "show", "a1"]);
    expect(shown).toMatchObject({ code: 0, stdout: "# Short\n\nall of it\n" });
    expect(shown.stderr).toContain(`Report (markdown), version 4 of 4, by call ${session}:c4`);
    expect((await place.run(["artifacts", "show", `${session.slice(0, -2)}:a1@2`])).stdout).toBe(
      "# Report\n\none\n2\n",
    );
    expect((await place.run(["artifacts", "diff", "a1"])).stdout).toContain("-all\n+all of it\n");
    expect((await place.run(["artifacts", "diff", "a1@1", "a1@2"])).stdout).toContain("-two\n+2\n");

    expect((await place.run(["artifacts", "export", "a1@1", "report.md"])).code).toBe(0);
    expect(await place.read("report.md")).toBe(report);
    const again = await place.run(["artifacts", "export", "a1", "report.md"]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("--force replaces it")]);
    expect((await place.run(["artifacts", "export", "a1", "report.md", "--force"])).code).toBe(0);
    expect(await place.read("report.md")).toBe("# Short\n\nall of it\n");
    expect((await place.run(["artifacts", "export", "a1", "-"])).stdout).toBe("# Short\n\nall of it\n");

    const undone = await place.run(["undo", session, "c4", "--yes"]);
    expect(undone.code).toBe(0);
    expect((await place.run(["artifacts", "show", "a1"])).stdout).toBe("# Short\n\nall\n");
    expect((await listed(place))[0]).toMatchObject({ version: 3, versions: [{}, {}, {}, { takenBack: true }] });
    const waits = await place.run(["artifacts", "rm", "a1"]);
    expect(waits.code).toBe(11);
    expect((await place.run(["resume", session, "--approve", "all"])).code).toBe(0);
    expect((await place.run(["artifacts"])).stdout).toContain("taken back");
    expect((await place.run(["artifacts", "rm", "a1"])).stderr).toContain("all of a1 is taken back already");
    expect((await place.run(["undo", session, "c6", "--yes"])).code).toBe(0);
    expect((await listed(place))[0]).toMatchObject({ version: 3 });
    expect((await place.run(["sessions", "verify", session])).code).toBe(0);
  });

  it("whose name and text are hostile reaches neither the terminal nor another folder", async () => {
    const place = await openPlace([
      asks("create_artifact", { name: "../../out/.ssh/keys", type: "markdown", content: "a\u001b]0;owned\u0007b\n" }),
      says("Made."),
    ]);
    await place.json(["run", "go"]);
    const { stdout } = await place.run(["artifacts", "show", "a1"]);
    expect(stdout).not.toMatch(/[\u001b\u0007]/u);
    await place.write("drafts/kept.txt", "kept\n");
    const { stderr } = await place.run(["artifacts", "export", "a1", "drafts"]);
    expect(stderr).toMatch(/to \S+\/drafts\/out_\.ssh_keys\.md$/mu);
    expect(await place.read("drafts/out_.ssh_keys.md")).toBe("a\u001b]0;owned\u0007b\n");
  });

  it("whose name is of letters that take four bytes is exported under as much of it as a file's name may have", async () => {
    const place = await openPlace([
      asks("create_artifact", { name: "𠀀".repeat(100), type: "markdown", content: "long\n" }),
      says("Made."),
    ]);
    await place.json(["run", "go"]);
    await place.write("drafts/kept.txt", "kept\n");
    expect((await place.run(["artifacts", "export", "a1", "drafts"])).code).toBe(0);
    expect(await place.read(`drafts/${"𠀀".repeat(50)}.md`)).toBe("long\n");
  });

  it("of a helper is read by its parent by the address that it is told", async () => {
    const addressOf = (request: { body: { messages: readonly { content?: unknown }[] } }): string =>
      /\S+@delegate\S+:a1/u.exec(JSON.stringify(request.body.messages.at(-1)?.content))?.[0] ?? "";
    const place = await openPlace([
      asks("agent", { task: "draft it" }),
      asks("create_artifact", { name: "Draft", type: "text", content: "by a helper\n" }),
      (request) => says(`It is ${addressOf(request)}`),
      (request) => asks("read_artifact", { id: addressOf(request) }),
      says("Read."),
    ]);
    const ran = await place.json(["run", "go"]);
    expect(ran.code).toBe(0);
    const heard = String(place.server.requests.at(-1)?.body.messages.at(-1)?.content);
    expect(heard).toContain("by a helper\n");
    const { stdout } = await place.run(["artifacts", "list", ran.session]);
    expect(stdout).toMatch(/@delegate-1-\S+:a1 {2}1 version/u);
    const child = stdout.split("  ")[0] ?? "";
    expect((await place.run(["artifacts", "show", child])).stdout).toBe("by a helper\n");
    expect((await place.run(["artifacts", "rm", child, "--yes"])).code).toBe(0);
    expect((await place.run(["artifacts", "list", ran.session])).stdout).toContain("taken back");
  });

  it("stands in the chat as a card with its diff, and in a page", async () => {
    const place = await openPlace([makes, says("Made."), updates, says("No.")]);
    const pty = place.chat(["chat", "write a report"]);
    await pty.waitFor("Made.");
    await pty.waitFor(/Create artifact Report \+4 −0/u);
    await pty.waitFor(/Update artifact a1 \+1 −1/u);
    await pty.waitFor(/two/u);
    await say(pty, "/undo");
    await pty.waitFor(/artifact a1 "Report" is no more/u);
    await pty.waitFor(/c2: a1 Report version 2/u);
    pty.key("ctrl-d");
    const file = place.path("page.md");
    await place.run(["sessions", "export", (await listed(place))[0]?.session ?? "", "-o", file]);
    expect(existsSync(file) && readFileSync(file, "utf8")).toContain("+# Report");
  });
});

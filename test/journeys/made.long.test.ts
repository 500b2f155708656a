import { chmodSync } from "node:fs";
import { expect, it } from "vitest";
import { openPlace, type Place, type Told } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { describeInSandbox } from "../support/needs.ts";
import { readQuestion } from "../support/read-question.ts";
import { answersIn } from "../support/talks.ts";

const shell = (command: string) => asks("shell", { command });
const write = (file_path: string, content: string) => asks("write_file", { file_path, content });
const edit = (file_path: string, old_string: string, new_string: string) =>
  asks("edit_file", { file_path, old_string, new_string });
const open = ["--mode", "accept-edits", "--auto-sandbox"];

/** What became of the commands, in the order of the calls. */
const ends = (ran: Told) =>
  ran
    .of("tool_call")
    .flatMap(({ call }) =>
      "toolName" in call && call.toolName === "shell" && call.status !== "pending"
        ? [[call.callId, call.status, "by" in call ? call.by?.rule : undefined]]
        : [],
    );
const asked = (ran: Told) => ran.of("approval_requested").map(({ calls }) => calls.map(({ callId }) => callId));
const run = (place: Place, ...flags: string[]) => place.json(["run", "do it", ...open, ...flags]);

describeInSandbox("--auto-sandbox (needs bubblewrap)", () => {
  it("runs what the session wrote and edited whole, and asks about what a command, or an edit of what was there, made of it", async () => {
    const place = await openPlace(
      [
        write("a.sh", "echo one\n"),
        shell("bash a.sh"),
        edit("a.sh", "one", "two"),
        shell("bash a.sh"),
        edit("theirs.sh", "three", "four"),
        shell("bash theirs.sh"),
        says("Done."),
      ],
      { "theirs.sh": "echo three\n" },
    );
    const ran = await run(place);
    expect(ends(ran)).toEqual([
      ["c2", "success", "mode"],
      ["c4", "success", "mode"],
    ]);
    expect(asked(ran)).toEqual([["c6"]]);
    expect(place.heard(2, -1)).toBe(
      "one\n(exit code 0)\n(of the workspace only files that this session wrote were there, and could only be read)",
    );
    expect(place.heard(4, -1)).toMatch(/^two\n/u);
  });

  it("asks about what was there before, though the session said to write just that, which nobody is asked about", async () => {
    const place = await openPlace(
      [
        asks("read_file", { file_path: "theirs.sh" }),
        write("theirs.sh", "echo three\n"),
        shell("bash theirs.sh"),
        says("Done."),
      ],
      { "theirs.sh": "echo three\n" },
    );
    const ran = await place.json(["run", "do it", "--auto-sandbox"]);
    expect([asked(ran), ends(ran)]).toEqual([[["c3"]], []]);
  });

  it("asks about what a command wrote, copied or moved", async () => {
    const place = await openPlace([
      write("a.sh", "echo one\n"),
      shell("cp a.sh b.sh; echo echo evil > c.sh; mv b.sh d.sh"),
      shell("bash d.sh"),
      says("Done."),
    ]);
    const ran = await run(place);
    expect(asked(ran)).toEqual([["c2"]]);
    const on = await place.json(["resume", ran.session, "--approve", "c2", ...open]);
    expect(asked(on)).toContainEqual(["c3"]);
    await place.json(["resume", ran.session, "--deny", "c3", ...open]);
    place.server.push(shell("bash c.sh"));
    expect(asked(await place.json(["run", "go on", "--session", ran.session, ...open]))).toEqual([["c4"]]);
  });

  it("asks about what an earlier session of the workspace wrote, and a fork about what it brought along", async () => {
    const place = await openPlace([
      write("a.sh", "echo one\n"),
      says("Written."),
      shell("bash a.sh"),
      shell("bash a.sh"),
      shell("bash a.sh"),
      says("Ran."),
    ]);
    const first = await run(place);
    const second = await run(place);
    expect([asked(second), second.session === first.session]).toEqual([[["c1"]], false]);
    const fork = (await place.run(["sessions", "fork", first.session])).stdout.trim();
    expect(asked(await place.json(["run", "go on", "--session", fork, ...open]))).toEqual([["c2"]]);
    expect(ends(await place.json(["run", "go on", "--session", first.session, ...open]))).toEqual([
      ["c2", "success", "mode"],
    ]);
  });

  it("knows what the session wrote after kill -9, and asks whether what ran then is to run again", async () => {
    const nap = `sleep 6.1${process.pid}`;
    const place = await openPlace([
      write("a.sh", `echo up; ${nap}\n`),
      write("b.sh", "echo two\n"),
      shell("bash a.sh"),
      shell("bash b.sh"),
      says("Done."),
    ]);
    const dying = place.spawn(["run", "do it", "--json", ...open]);
    await dying.shows('"text":"up');
    dying.child.kill("SIGKILL");
    await dying.done;
    const { session } = JSON.parse(dying.stdout().split("\n")[0] ?? "") as { session: string };
    const on = await place.json(["resume", session, "--done", "c3", ...open]);
    expect(ends(on).at(-1)).toEqual(["c4", "success", "mode"]);
  });

  it("is off by default, is set by the person's config.json, and not by a project's", async () => {
    const answers = (name: string) => [write(name, "echo one\n"), shell(`bash ${name}`)];
    const place = await openPlace([...answers("a.sh"), ...answers("b.sh"), says("Done.")]);
    const mode = ["--mode", "accept-edits"];
    expect(asked(await place.json(["run", "do it", ...mode]))).toEqual([["c2"]]);
    await place.write("../home/config.json", '{"autoSandbox": true}');
    expect(ends(await place.json(["run", "do it", ...mode]))).toEqual([["c2", "success", "mode"]]);
    await place.write("../home/config.json", "{}");
    await place.write(".holdfast/config.json", '{"autoSandbox": true}');
    expect(await place.run(["run", "do it"])).toMatchObject({
      code: 52,
      stderr: expect.stringContaining("autoSandbox"),
    });
  });

  it("a program runs by its own name, and one that fails for what is not there says how to ask for it", async () => {
    const place = await openPlace(
      [
        write("a.sh", "#!/bin/bash\ncat $1.csv\n"),
        shell("./a.sh data"),
        asks("shell", { command: "./a.sh data", workspace: true }),
        says("Done."),
      ],
      { "data.csv": "1,2\n", "a.sh": "" },
    );
    chmodSync(place.path("a.sh"), 0o755);
    const ran = await run(place);
    expect(place.heard(2, -1)).toMatch(
      /No such file or directory\n\(exit code 1\)\n.*\n\(to run it with the whole workspace, call again with workspace: true; a person is asked\)$/u,
    );
    expect(asked(ran)).toEqual([["c3"]]);
  });
});

describeInSandbox("the answer that what the session writes may run (needs bubblewrap)", () => {
  it("is given once, holds for this session alone as it goes on later, and is taken back", async () => {
    const place = await openPlace([
      write("a.sh", "echo one; f=out; echo more > $f.txt\n"),
      shell("bash a.sh"),
      shell("bash a.sh"),
      says("Done."),
    ]);
    place.env["HOLDFAST_SCREEN_READER"] = "1";
    const pty = place.chat(["chat", "--mode", "accept-edits"], { cols: 200, rows: 50 });
    await pty.waitFor("> ");
    pty.type("do it\r");
    await pty.waitFor(
      "w, written    (yes, and from now on: what this session and its helpers write may run in the sandbox",
    );
    pty.type("w\r");
    await pty.waitFor("Done.");
    pty.key("ctrl-d");
    await pty.exit;
    // The first was approved as it was shown; the second ran apart, where it could write nothing.
    expect(place.heard(2, -1)).toBe("one\n(exit code 0)\n(changed while it ran: out.txt)");
    expect(await place.read("out.txt")).toBe("more\n");
    expect(place.heard(3, -1)).toContain("out.txt: Read-only file system");

    const { stdout } = await place.run(["policy", "list", "--json"]);
    const [row] = stdout.split("\n").map((line) => JSON.parse(line || "{}") as { id?: string; session?: string });
    expect(row).toMatchObject({ tool: "shell", made: true, scope: "session" });
    const again = async (session: string) => {
      place.server.push(shell("bash a.sh"));
      const ran = await place.json(["run", "again", "--session", session, "--max-steps", "1"]);
      return [ends(ran).at(-1)?.[2], asked(ran).length];
    };
    const session = row?.session ?? "";
    expect(await again(session)).toEqual([`grant:${row?.id}`, 0]);
    const fork = (await place.run(["sessions", "fork", session])).stdout.trim();
    expect(await again(fork)).toEqual([undefined, 1]);
    expect(await place.run(["policy", "revoke", row?.id ?? ""])).toMatchObject({ code: 0 });
    expect(await again(session)).toEqual([undefined, 1]);
  });

  it("says that it holds for helpers too: what one wrote runs for it alone, what the session wrote not for it", async () => {
    const place = await openPlace(
      Array.from({ length: 12 }, () =>
        answersIn({
          go: [write("a.sh", "echo OWN\n"), asks("agent", { task: "work" }), shell("bash a.sh"), shell("bash h.sh")],
          work: [write("h.sh", "echo HELPER\n"), shell("bash h.sh"), shell("bash h.sh"), shell("bash a.sh")],
        }),
      ),
    );
    place.env["HOLDFAST_SCREEN_READER"] = "1";
    const pty = place.chat(["chat", "--mode", "accept-edits"], { cols: 200, rows: 50 });
    await pty.waitFor("> ");
    pty.type("go\r");
    await pty.waitFor(
      "w, written    (yes, and from now on: what this session and its helpers write may run in the sandbox",
    );
    await readQuestion();
    pty.type("w\r");
    const heard = () => place.server.requests.map(({ body }) => String(body.messages.at(-1)?.content).split("\n")[0]);
    await expect.poll(() => pty.screen().join("\n"), { timeout: 60_000 }).toContain("bash a.sh");
    await expect.poll(heard, { timeout: 60_000 }).toHaveLength(6);
    expect(heard().slice(-2)).toEqual(["HELPER", "HELPER"]);
    await readQuestion();
    pty.type("n\r");
    await expect.poll(heard, { timeout: 60_000 }).toContain("OWN");
    await pty.waitFor(/bash h\.sh/u);
    expect(heard().filter((said) => said === "HELPER")).toHaveLength(2);
    await pty.close();
  });
});

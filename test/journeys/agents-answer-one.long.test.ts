import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { type Answer, asks, type Reply, says } from "../support/model-server.ts";
import { readQuestion } from "../support/read-question.ts";
import { answersIn, replyLater } from "../support/talks.ts";

const talks: Readonly<Record<string, readonly Reply[]>> = {
  go: [asks("agent", { task: ["look at a", "look at b"] }), says("All done.")],
  "look at a": [asks("read_file", { file_path: ".env" }), says("Looked at a.")],
  "look at b": [asks("read_file", { file_path: ".env.b" }), says("Looked at b.")],
};

/** Two explorers, each of which asks for a guarded file. @param ofB the second one's first words, which may come later */
function placeOf(ofB?: Promise<Reply>): Promise<Place> {
  const [first, ...more] = talks["look at b"] ?? [];
  const answer = answersIn({ ...talks, "look at b": [ofB ?? first ?? says(""), ...more] });
  return openPlace(
    Array.from({ length: 24 }, () => answer),
    { ".env": "KEY=a\n", ".env.b": "KEY=b\n" },
  );
}

const heardBy = (place: Place, task: string): string[] =>
  place.server.requests
    .filter(({ body }) => body.messages.find(({ role }) => role === "user")?.content === task)
    .map(({ body }) => String(body.messages.at(-1)?.content));

describe("of two helpers' questions at rest the answer to one", () => {
  it.each([
    ["first", "look at a", "look at b", 0],
    ["second", "look at b", "look at a", 1],
  ])(
    "has that helper go on without the other one, the %s too, and the other one is asked again",
    async (_, own, other, at) => {
      const place = await placeOf();
      const asked = await place.json(["run", "go"]);
      const calls = asked.of("approval_requested").at(-1)?.calls ?? [];
      const names = calls.map(({ session, callId, digest }) => `${session}:${callId}@${digest.slice(0, 12)}`);
      expect([asked.code, names.length]).toEqual([11, 2]);
      const one = await place.json(["resume", asked.session, "--approve", names[at] ?? ""]);
      expect([one.code, one.end.reason]).toEqual([11, "awaiting_approval"]);
      expect(heardBy(place, own).at(-1)).toContain(`KEY=${own.at(-1)}`);
      expect([heardBy(place, own).length, heardBy(place, other).length]).toEqual([2, 1]);
      const again = one
        .of("approval_requested")
        .at(-1)
        ?.calls.map(({ session }) => session);
      expect(again).toEqual([calls[1 - at]?.session]);
      const rest = await place.json(["resume", asked.session, "--approve", names[1 - at] ?? ""]);
      expect([rest.code, rest.end.text]).toEqual([0, "All done."]);
      expect(["go", own, other].map((task) => heardBy(place, task).length)).toEqual([2, 2, 2]);
    },
  );

  it("is heard from another process by whoever goes on with the session, with nobody at work by then", async () => {
    const place = await placeOf();
    const asked = await place.json(["run", "go"]);
    const [a, b] = (asked.of("approval_requested").at(-1)?.calls ?? []).map(
      ({ session, callId, digest }) => `${session}:${callId}@${digest.slice(0, 12)}`,
    );
    await place.run(["answer", asked.session, "--approve", b ?? ""]);
    const on = await place.json(["resume", asked.session]);
    expect([on.code, on.end.reason, heardBy(place, "look at b").at(-1)]).toEqual([
      ...[11, "awaiting_approval", expect.stringContaining("KEY=b")],
    ]);
    expect((await place.json(["resume", asked.session, "--approve", a ?? ""])).end.text).toBe("All done.");
    expect(["go", "look at a", "look at b"].map((task) => heardBy(place, task).length)).toEqual([2, 2, 2]);
  });

  it("counts by flag too where the one that was approved before it was at work when its process was killed", async () => {
    const endlessReply = says("word ".repeat(100_000), { chunks: 100_000, delayMs: 20 });
    let isHeld = false;
    const held: Answer = ({ body }) => {
      const said = String(body.messages.find(({ role }) => role === "user")?.content);
      const spoken = body.messages.filter(({ role }) => role === "assistant").length;
      if (isHeld && said === "look at a" && spoken === 1) return endlessReply;
      return talks[said]?.[spoken] ?? says("Nothing more.");
    };
    const place = await openPlace(
      Array.from({ length: 24 }, () => held),
      { ".env": "KEY=a\n", ".env.b": "KEY=b\n" },
    );
    const asked = await place.json(["run", "go"]);
    const [a = "", b = ""] = (asked.of("approval_requested").at(-1)?.calls ?? []).map(
      ({ session, callId, digest }) => `${session}:${callId}@${digest.slice(0, 12)}`,
    );
    isHeld = true;
    const running = place.spawn(["resume", asked.session, "--approve", a]);
    await expect.poll(() => heardBy(place, "look at a").length, { timeout: 30_000 }).toBe(2);
    running.child.kill("SIGKILL");
    await running.done;
    isHeld = false;
    const wrong = await place.run(["resume", asked.session, "--approve", `${b.split(":")[0]}:c9`]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("no call with this id waits")]);
    const on = await place.json(["resume", asked.session, "--approve", b]);
    expect([on.code, on.end.text]).toEqual([0, "All done."]);
    expect(heardBy(place, "look at a").at(-1)).toContain("KEY=a");
    expect(heardBy(place, "look at b").at(-1)).toContain("KEY=b");
  });

  it("has that helper go on where fewer may work at once by now, and the first one waits", async () => {
    const place = await placeOf();
    const asked = await place.json(["run", "go"]);
    const [, b] = asked.of("approval_requested").at(-1)?.calls ?? [];
    await writeFile(join(place.home, "config.json"), JSON.stringify({ maxChildren: 1 }));
    const one = await place.json(["resume", asked.session, "--approve", `${b?.session}:${b?.callId}`]);
    expect([one.code, heardBy(place, "look at b").at(-1)]).toEqual([11, expect.stringContaining("KEY=b")]);
    expect(heardBy(place, "look at a")).toHaveLength(1);
  });

  it("given with flags for both counts for both, and nothing is done twice", async () => {
    const place = await placeOf();
    const asked = await place.json(["run", "go"]);
    const [a, b] = (asked.of("approval_requested").at(-1)?.calls ?? []).map(
      ({ session, callId }) => `${session}:${callId}`,
    );
    const flags = ["--deny", a ?? "", "--reason", "not a", "--approve", b ?? ""];
    const ran = await place.json(["resume", asked.session, ...flags]);
    expect([ran.code, ran.end.text]).toEqual([10, "All done."]);
    expect(heardBy(place, "look at a").at(-1)).toContain("not a");
    expect(heardBy(place, "look at b").at(-1)).toContain("KEY=b");
    expect(["go", "look at a", "look at b"].map((task) => heardBy(place, task).length)).toEqual([2, 2, 2]);
  });

  it.each([
    [100, 30],
    [60, 20],
  ])("in the dialog has it go on beside the second question, after kill -9 too, at %d columns", async (cols, rows) => {
    const ofB = replyLater();
    const place = await placeOf(ofB.reply);
    const first = place.chat(["chat", "go"], { cols, rows });
    // Whoever asks first is in front.
    await first.waitFor(/asked by the sub-agent explorer 1/u, 30_000);
    ofB.say(asks("read_file", { file_path: ".env.b" }));
    await expect.poll(() => heardBy(place, "look at b").length, { timeout: 30_000 }).toBe(1);
    await first.waitFor("[1] 2", 30_000);
    first.kill("SIGKILL");
    await first.exit;
    const { id } = JSON.parse((await place.run(["sessions", "--json"])).stdout.split("\n")[0] ?? "") as { id: string };
    const pty = place.chat(["resume", id], { cols, rows });
    const approve = async (who: string): Promise<void> => {
      await pty.waitFor((one) => one.screen().join("\n").includes(`asked by the sub-agent ${who}`), 30_000);
      await readQuestion();
      pty.type("y");
      await pty.waitFor("type yes to approve", 30_000);
      pty.type("yes\r");
    };
    await approve("explorer 1");
    await expect.poll(() => heardBy(place, "look at a").at(-1), { timeout: 30_000 }).toContain("KEY=a");
    await pty.waitFor((one) => one.screen().join("\n").includes("asked by the sub-agent explorer 2"), 30_000);
    expect(heardBy(place, "look at b")).toHaveLength(1);
    await approve("explorer 2");
    await pty.waitFor("All done.", 30_000);
    expect(heardBy(place, "look at b").at(-1)).toContain("KEY=b");
    pty.key("ctrl-d");
    expect(await pty.exit).toMatchObject({ code: 0 });
    expect(["look at a", "look at b"].map((task) => heardBy(place, task).length)).toEqual([2, 2]);
  });
});

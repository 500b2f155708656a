import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { answersIn, firstWords, replyLater, type Talks } from "../support/talks.ts";

const poll = { timeout: 60_000 };

it("a helper that was answered while another one works in its place goes on under the limits of the same run", async () => {
  const [ofB, ofC] = [replyLater(), replyLater()];
  const looks = (name: string) => [asks("read_file", { file_path: `.env.${name}` }), asks("ls", {}), asks("ls", {})];
  const talks: Talks = {
    go: [asks("agent", { task: ["look at a", "look at b", "look at c"] })],
    "look at a": looks("a"),
    "look at b": [ofB.reply],
    "look at c": [ofC.reply],
  };
  const answer = answersIn(talks);
  const place = await openPlace(
    Array.from({ length: 16 }, () => answer),
    { ".env.a": "KEY=a\n", ".env.b": "KEY=b\n" },
  );
  const heard = (task: string): number => place.server.requests.filter((one) => firstWords(one) === task).length;
  await writeFile(join(place.home, "config.json"), JSON.stringify({ maxChildren: 2 }));
  const running = place.spawn(["run", "go", "--json", "--max-steps", "5"]);
  // Asked while the second one works; the third one begins in its place.
  await running.shows('"type":"approval_requested"');
  await running.shows("}]}\n");
  const [first = says("")] = looks("b");
  ofB.say(first);
  await expect.poll(() => heard("look at c"), poll).toBe(1);
  const line = running
    .stdout()
    .split("\n")
    .find((one) => one.includes('"type":"approval_requested"'));
  const { calls } = JSON.parse(line ?? "") as { calls: { session: string; callId: string; digest: string }[] };
  const { session = "", callId = "", digest = "" } = calls[0] ?? {};
  const root = session.split("@")[0] ?? "";
  const answered = await place.run(["answer", root, "--approve", `${session}:${callId}@${digest.slice(0, 12)}`]);
  expect(answered.code).toBe(0);
  ofC.say(says("Looked at c."));
  await running.done;
  expect(place.server.requests.length).toBe(5);
});

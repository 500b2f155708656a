import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { type Answer, asks, type ModelServer, type Reply, says } from "../support/model-server.ts";

const poll = { timeout: 60_000 };

it("a helper that gave its place to another one and was answered meanwhile goes on under the limits of the same run", async () => {
  let speak: () => void = () => undefined;
  const later = new Promise<Reply>((resolve) => {
    speak = () => resolve(says("Looked at c."));
  });
  const looks = (name: string) => [asks("read_file", { file_path: `.env.${name}` }), asks("ls", {}), asks("ls", {})];
  const talks: Readonly<Record<string, readonly (Reply | Promise<Reply>)[]>> = {
    go: [asks("agent", { task: ["look at a", "look at b", "look at c"] })],
    "look at a": looks("a"),
    "look at b": looks("b"),
    "look at c": [later],
  };
  const taskIn = ({ body }: Pick<ModelServer["requests"][number], "body">) =>
    String(body.messages.find(({ role }) => role === "user")?.content);
  const answer: Answer = (request) =>
    talks[taskIn(request)]?.[request.body.messages.filter(({ role }) => role === "assistant").length] ??
    says("Nothing more.");
  const place = await openPlace(
    Array.from({ length: 16 }, () => answer),
    { ".env.a": "KEY=a\n", ".env.b": "KEY=b\n" },
  );
  const heard = (task: string): number => place.server.requests.filter((one) => taskIn(one) === task).length;
  await writeFile(join(place.home, "config.json"), JSON.stringify({ maxChildren: 2 }));
  const running = place.spawn(["run", "go", "--json", "--max-steps", "5"]);
  await expect.poll(() => heard("look at c"), poll).toBe(1);
  await running.shows('"type":"approval_requested"');
  await running.shows("}]}\n");
  const line = running
    .stdout()
    .split("\n")
    .find((one) => one.includes('"type":"approval_requested"'));
  const { calls } = JSON.parse(line ?? "") as { calls: { session: string; callId: string; digest: string }[] };
  const { session = "", callId = "", digest = "" } = calls[0] ?? {};
  const root = session.split("@")[0] ?? "";
  const answered = await place.run(["answer", root, "--approve", `${session}:${callId}@${digest.slice(0, 12)}`]);
  expect(answered.code).toBe(0);
  speak();
  await running.done;
  expect(place.server.requests.length).toBe(5);
});

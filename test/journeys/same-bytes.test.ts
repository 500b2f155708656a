import { expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";

const names = ["a.txt", "b.txt", "c.txt", "d.txt"];

it("a process that takes over from a killed one asks the model in the very bytes, outputs that were cut included", async () => {
  const lines = (name: string) => `${`${name} has some words in it\n`.repeat(500)}`;
  const place = await openPlace(
    [
      ...names.map((file_path) => asks("read_file", { file_path })),
      says("word ".repeat(40), { chunks: 40, delayMs: 50, hangAfter: 20 }),
      says("Read."),
    ],
    Object.fromEntries(names.map((name) => [name, lines(name)])),
  );
  await place.write("../home/config.json", '{"contextWindow": 16000}');
  const dying = place.spawn(["run", "read them", "--json"]);
  await dying.shows('"text_delta"');
  dying.child.kill("SIGKILL");
  await dying.done;
  expect(dying.stdout()).toContain('"outputs_cut"');
  const { session } = JSON.parse(dying.stdout().split("\n")[0] ?? "") as { session: string };
  expect(await place.json(["resume", session])).toMatchObject({ code: 0, end: { text: "Read." } });
  const bodies = place.server.requests.map(({ body }) => JSON.stringify(body));
  expect(bodies).toHaveLength(names.length + 2);
  expect(bodies.at(-1)).toBe(bodies.at(-2));
  expect(bodies.at(-1)).toContain("left out to make room");
});

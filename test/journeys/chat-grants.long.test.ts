import { expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { readQuestion } from "../support/read-question.ts";

const touch = (id: string) => asks("shell", { command: `touch ${id}` });

it.each([
  { cols: 100, rows: 30 },
  { cols: 60, rows: 20 },
  { cols: 42, rows: 10 },
])(
  "/permissions lists the grants, and x takes one back, which is asked about again, at $cols x $rows",
  async (size) => {
    const place = await openPlace([touch("a"), says("One."), touch("a"), says("Two."), touch("a"), says("Three.")]);
    const pty = place.chat(["chat"], { cols: 100, rows: 30 });
    const say = async (text: string) => {
      await pty.waitFor(/ask, or|^> /mu);
      pty.type(text);
      await pty.waitFor(`❯ ${text}`);
      pty.key("enter");
    };
    await say("first");
    await pty.waitFor(/❯ ?n/u);
    await readQuestion();
    pty.key("s");
    await pty.waitFor("enter confirms");
    pty.key("enter");
    await pty.waitFor("One.");
    await say("second");
    await pty.waitFor("Two.");
    if (size.cols < 100) await pty.resized(size.cols, size.rows);

    await say("/permissions");
    await pty.waitFor("x revokes a grant");
    expect(pty.screen().join("\n")).toMatch(/^❯ allow {2}shell/mu);
    pty.key("x");
    await pty.waitFor("revoke it?");
    pty.key("j");
    await pty.waitFor("it stays");
    pty.key("x");
    await pty.waitFor("revoke it?");
    pty.key("y");
    await pty.waitFor("is revoked");
    expect((await place.run(["policy", "list"])).stdout).toContain("no rules or grants");
    pty.key("escape");
    await say("third");
    await pty.waitFor(/❯ ?n/u);
    await readQuestion();
    pty.key("n");
    await pty.waitFor("Three.");
    pty.leave();
    expect(await pty.exit).toMatchObject({ code: 0 });
  },
);

it("where lines are all there is /permissions prints them, and revokes by name", async () => {
  const place = await openPlace([touch("a"), says("One.")]);
  const pty = place.chat(["chat"], undefined, { TERM: "dumb" });
  await pty.waitFor(/^> /mu);
  pty.type("first\r");
  await pty.waitFor(/yes|approve/u);
  pty.type("session\r");
  await pty.waitFor("One.");
  pty.type("/permissions\r");
  await pty.waitFor("/permissions revoke ID takes a grant back");
  const id = /grant (g-\w+)/u.exec(pty.scrollback().join("\n"))?.[1] ?? "";
  pty.type("/permissions revoke\r");
  await pty.waitFor("what is meant?");
  pty.type("/permissions revoke g-none\r");
  await pty.waitFor("there is no grant g-none any more");
  pty.type(`/permissions revoke ${id}\r`);
  await pty.waitFor(`${id} is revoked`);
  expect((await place.run(["policy", "list"])).stdout).toContain("no rules or grants");
  pty.leave();
  await pty.exit;
});

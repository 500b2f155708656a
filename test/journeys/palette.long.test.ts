import { expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { says } from "../support/model-server.ts";
import { describeInTerminals } from "../support/needs.ts";

describeInTerminals((terminal) => {
  it.each([
    { cols: 100, rows: 30 },
    { cols: 60, rows: 20 },
    { cols: 42, rows: 10 },
  ])(
    "Ctrl+P lists what can be done over a draft, which stays, and runs what is chosen, at $cols x $rows",
    async (size) => {
      const place = await openPlace([says("First it is."), says("Second it is.")]);
      const { session: earlier } = await place.json(["run", "the first talk"]);
      const pty = place.chat(["chat"], { ...size, terminal });
      await pty.waitFor(/ask, or|^> /mu);
      pty.type("a draft");
      await pty.waitFor("❯ a draft");
      pty.key("ctrl-p");
      await pty.waitFor(/^❯ \/help/mu);
      await pty.waitFor((one) => one.isFull());
      pty.type("mode plan");
      await pty.waitFor(/^❯ mode plan/mu);
      pty.key("enter");
      await pty.waitFor("the mode is now plan");
      await pty.waitFor("❯ a draft");
      expect(pty.isFull()).toBe(false);

      pty.key("ctrl-p");
      await pty.waitFor(/^❯ \/help/mu);
      pty.type("rename\r");
      await pty.waitFor("/rename takes words");
      await pty.waitFor("❯ a draft");

      pty.key("ctrl-p");
      await pty.waitFor(/^❯ \/help/mu);
      pty.type("first talk");
      await pty.waitFor(/^❯ the first talk/mu);
      pty.key("escape");
      await pty.waitFor(/^❯ \/help/mu);
      pty.key("escape");
      await pty.waitFor("❯ a draft");
      pty.key("ctrl-c");
      await pty.waitFor((one) => !one.screen().join("\n").includes("a draft"));

      pty.key("ctrl-p");
      await pty.waitFor(/^❯ \/help/mu);
      pty.type("first talk\r");
      await pty.waitFor(`session ${earlier};`);
      pty.key("ctrl-p");
      await pty.waitFor(/^❯ \/help/mu);
      pty.type("rename\r");
      await pty.waitFor("❯ /rename");
      pty.type("as it is called now\r");
      const shown = async (): Promise<string> => (await place.run(["sessions", "show", earlier])).stdout;
      await expect.poll(shown).toContain("as it is called now");
      pty.leave();
      expect(await pty.exit).toMatchObject({ code: 0 });
    },
  );
});

it("/model lists the models of the servers to choose from, and the next message goes to the one that is chosen", async () => {
  const place = await openPlace([says("Hello.")], {}, { models: ["test-model", "other-model", "third-model"] });
  const pty = place.chat(["chat"], { cols: 60, rows: 20 });
  await pty.waitFor("❯ ask, or");
  pty.type("/model");
  await pty.waitFor("❯ /model");
  pty.key("enter");
  await pty.waitFor(/^❯ openai:/mu);
  expect(pty.screen().join("\n")).toMatch(/openai:test-model +.*in use/u);
  pty.key("escape");
  await pty.waitFor("❯ ask, or");
  pty.key("ctrl-p");
  await pty.waitFor(/^❯ \/help/mu);
  pty.type("/model\r");
  await pty.waitFor(/^❯ openai:/mu);
  pty.type("other");
  await pty.waitFor(/^❯ openai:other-model/mu);
  pty.key("enter");
  await pty.waitFor("the model is now openai:other-model");
  pty.type("hello\r");
  await pty.waitFor("Hello.");
  expect(place.server.requests.map(({ body }) => body.model)).toEqual(["other-model"]);
  pty.leave();
  await pty.exit;
});

it("where lines are all there is, /palette prints the commands", async () => {
  const place = await openPlace([]);
  const chat = place.chat(["chat"], { cols: 100, rows: 30 }, { TERM: "dumb" });
  await chat.waitFor(/^>/mu);
  chat.type("/palette\r");
  await chat.waitFor("all that can be done here, in one list");
  chat.leave();
  await chat.exit;
});

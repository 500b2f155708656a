import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { says } from "../support/model-server.ts";
import type { Pty } from "../support/pty.ts";
import { readQuestion } from "../support/read-question.ts";
import { placeWithTools } from "../support/tool-files.ts";

const file = `import { defineTool, z } from "holdfast";
const params = { text: "正文", zone: "read\\u202efile" };
const sign = defineTool({
  name: "sign",
  description: "Signs.",
  args: z.object({ text: z.string(), zone: z.string(), uid: z.string() }),
  hidden: ["uid"],
  inject: { zone: "UTC" },
  editable: ["text"],
  confirm: true,
  display: { zh: { name: "签名", params }, en: { name: "Sign a text" } },
  execute: ({ text, zone, uid }) => text + "@" + zone + " for " + uid.length,
});
const forged = { ...sign, name: "forge", display: { zh: { name: "she丨丨" } } };
export default [sign, forged];
`;

const rows = (pty: Pty): string => pty.screen().join("\n");

/** The dialog is on the screen, and was there long enough. */
async function question(pty: Pty, shown: string): Promise<void> {
  await pty.waitFor((one) => rows(one).includes("❯ n") && rows(one).includes(shown));
  await readQuestion();
}

it("a tool is asked about and told of by its display names, after a kill -9 too; its own names stand behind ? and in --json", async () => {
  const place = await placeWithTools({ "sign.mjs": file }, [
    {
      calls: [
        { name: "sign", arguments: { text: "a" } },
        { name: "forge", arguments: { text: "b" } },
      ],
    },
    says("Done."),
  ]);
  await writeFile(join(place.home, "config.json"), '{"uid":"ada-l0velace"}');
  const told = await place.json(["run", "sign it", "--lang", "zh"]);
  expect(told.the("approval_requested").calls.map((call) => [call.toolName, call.arguments, call.editable])).toEqual([
    ["sign", { text: "a", zone: "UTC" }, ["text"]],
    ["forge", { text: "b", zone: "UTC" }, ["text"]],
  ]);
  const shown = await place.run(["tools", "forge", "--lang", "zh"]);
  expect(shown.stdout).toMatch(
    /(?:shown as|显示为) +"she丨丨" (?:is not shown: it could be taken for the tool shell|不显示：它可能被当成工具 shell)/,
  );

  const first = place.chat(["resume", told.session, "--lang", "zh"]);
  await question(first, "签名");
  expect(rows(first)).toContain('"正文": "a"');
  expect(rows(first)).toContain('"zone": "UTC"');
  expect(rows(first)).not.toMatch(/⚠ MEDIUM sign|sign must|uid|l0velace|丨/);
  first.key("?");
  await first.waitFor("签名 是工具 sign");
  expect(rows(first)).toContain("正文 是参数 text");
  first.key("e");
  await first.waitFor("ctrl+s 采用");
  expect(rows(first)).toContain('"text": "a"');
  expect(rows(first)).not.toContain('"zone"');
  first.kill("SIGKILL");
  await first.exit;

  const again = place.chat(["resume", told.session, "--lang", "zh"]);
  await question(again, "签名");
  again.key("y");
  await question(again, "⚠ MEDIUM forge");
  again.key("y");
  await again.waitFor("Done.");
  expect(again.scrollback().join("\n")).toMatch(/✔ 签名 a .*\n.*✔ forge b /s);
  const said = place.server.requests.at(-1)?.body.messages.filter(({ role }) => role === "tool") ?? [];
  expect(said.map(({ content }) => content)).toEqual(["a@UTC for 12", "b@UTC for 12"]);
  again.kill("SIGTERM");
  await again.exit;
});

import { expect, it, test } from "vitest";
import { program as english } from "../../src/words/en/program.ts";
import * as chinese from "../../src/words/zh/index.ts";
import { openPlace } from "../support/cli.ts";

const wrong = ["run", "--nope"];
const [inEnglish, inChinese] = [
  "error: unknown option '--nope'",
  chinese.commandLine.unknownOption({ flag: "--nope" }),
];

const locale = (LANG: string) => ({ LANG });

test.each<[said: string, expected: string, argv: string[], env: Record<string, string>]>([
  ["nothing", inEnglish, wrong, {}],
  ["--lang zh", inChinese, ["run", "--lang", "zh", "--nope"], {}],
  ["--lang=zh", inChinese, ["--lang=zh", ...wrong], {}],
  ["--lang behind what is wrong", inChinese, [...wrong, "--lang", "zh"], locale("en_US.UTF-8")],
  ["--lang behind --", inEnglish, [...wrong, "--", "--lang", "zh"], {}],
  ["the last --lang", inEnglish, [...wrong, "--lang=zh", "--lang", "en"], locale("zh_CN.UTF-8")],
  ["zh_CN.UTF-8", inChinese, wrong, locale("zh_CN.UTF-8")],
  ["zh.utf8", inChinese, wrong, locale("zh.utf8")],
  ["zh_SG.utf-8", inChinese, wrong, locale("zh_SG.utf-8")],
  ["zh-Hans_CN.UTF-8", inChinese, wrong, locale("zh-Hans_CN.UTF-8")],
  ["zh_Hans.UTF-8@pinyin", inChinese, wrong, locale("zh_Hans.UTF-8@pinyin")],
  ["a locale that is not in UTF-8", inEnglish, wrong, locale("zh_CN.GBK")],
  ["a locale without an encoding", inEnglish, wrong, locale("zh_CN")],
  ["a locale of another script", inEnglish, wrong, locale("zh_TW.UTF-8")],
  ["another language", inEnglish, wrong, locale("en_US.UTF-8")],
  ["LC_ALL before LANG", inEnglish, wrong, { LC_ALL: "C.UTF-8", LANG: "zh_CN.UTF-8" }],
  ["LC_MESSAGES before LANG", inChinese, wrong, { LC_MESSAGES: "zh_CN.UTF-8", LANG: "C" }],
  ["an empty LC_ALL", inChinese, wrong, { LC_ALL: "", LANG: "zh_CN.UTF-8" }],
  ["--json with a locale", inEnglish, [...wrong, "--json"], locale("zh_CN.UTF-8")],
  ["--json with --lang", inEnglish, [...wrong, "--json", "--lang", "zh"], {}],
])("by %s: %s", async (_, expected, argv, env) => {
  const place = await openPlace();
  const ran = await place.spawn(argv, { env }).done;
  expect(ran).toMatchObject({ code: 2, stdout: "" });
  expect(ran.stderr).toContain(expected);
});

it("has its help and the words that shells complete in each language", async () => {
  const place = await openPlace();
  const shown = async (argv: string[], LANG = "C.UTF-8") => (await place.spawn(argv, { env: { LANG } }).done).stdout;
  const titles = { ...english().titles, ...(chinese as { program?: { titles: object } }).program?.titles };
  const title = (Object.values(titles) as string[])[0] ?? "";
  expect(await shown(["--help"])).toContain("Usage: agent [options] [command]");
  const help = await shown(["--help"], "zh_CN.UTF-8");
  expect(help).toContain(`${title} agent ${chinese.program.anyOptions} ${chinese.program.anyCommand}`);
  for (const argv of [
    ["--help", "--lang", "zh"],
    ["--lang=zh", "-h"],
    ["help", "--lang", "zh"],
  ])
    expect(await shown(argv), argv.join(" ")).toBe(help);
  expect(await shown(["--lang", "zh", "--version"])).toBe(await shown(["--version"]));
  const names = async (LANG: string) =>
    (await shown(["complete", "fish", "--", ""], LANG)).split("\n").map((line) => line.split("\t")[0]);
  expect(await names("zh_CN.UTF-8")).toEqual(await names("C.UTF-8"));
});

it("is the person's, whatever a project's settings say", async () => {
  const place = await openPlace([], { ".holdfast/config.json": '{"lang":"zh"}' });
  expect((await place.spawn(wrong).done).stderr).toContain(inEnglish);
});

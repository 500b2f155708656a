import type { skills as english } from "../en/skills.ts";
import type { Twin } from "../twin.ts";

export const skills: Twin<typeof english> = {
  nameShape: "技能名称为 1 到 64 个 a-z、0-9 和 -",
  otherFolder: ({ name }) => `它的名称是 ${name}，它的文件夹却是另一个名称`,
  noDescription: "它没有 description",
  longDescription: ({ most }) => `它的 description 超过 ${most}`,
  longCompatibility: ({ most }) => `它的 compatibility 超过 ${most}`,
  noKeys: "它没有键",
  leadsOut: ({ file }) => `它的 ${file} 通向它的文件夹之外`,
  noFile: "它不是可读取的普通文件",
  tooLarge: ({ kilobytes }) => `它超过 ${kilobytes} kB`,
  waits: "它等待你的信任（agent trust）",
  noText: "它不是 UTF-8 文本",
  hasName: ({ source }) => `另一个同名且在先：${source}`,
  more: ({ count }) => `另有 ${count} 个（agent skills）`,
  leftOut: ({ names }) => `略去的技能：${names.join("; ")}`,
};

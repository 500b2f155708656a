import type { suggestions as english } from "../en/suggestions.ts";
import type { Twin } from "../twin.ts";

const wouldDecide = (calls: number): string => `它本可决定曾询问你的 ${calls} 次调用`;

export const suggestions: Twin<typeof english> = {
  saidYes: ({ times, last, decided }) =>
    `你说过 ${times} 次“是”（最近一次 ${last}），从未有别的回答；${wouldDecide(decided)}`,
  saidNo: ({ times, last, decided }) =>
    `你说过 ${times} 次“否”（最近一次 ${last}），从未有别的回答；${wouldDecide(decided)}`,
  nothingElse: "在这里记录的所有内容中，它不会决定别的",
  alsoDecides: ({ calls }) => `它还会决定另外 ${calls} 次调用：`,
  holds: ({ where }) => `它适用于：${where.join("、")}`,
  in: ({ folder }) => `在 ${folder} 中`,
  inFolder: ({ workspace, folder }) => `在 ${workspace} 的 ${folder} 中`,
  anyChange: "此工具对该文件的任何改动",
  sandboxed: "只在沙箱中且没有网络",
  notPiped: "没有内容经管道传入",
  whileAsNow: ({ files }) => `${files.join(", ")} 与现在相同期间`,
  asked: "问过",
  notAsked: "没问过",
  more: ({ calls }) => `另有 ${calls} 次`,
  otherRule: ({ file }) => `${file}：这条规则会被读成另一条：什么也没写入`,
};

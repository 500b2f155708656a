import type { question as english } from "../en/question.ts";
import type { Twin } from "../twin.ts";

export const question: Twin<typeof english> = {
  rows: ({ from, to }) => (from === to ? `第 ${from} 行` : `第 ${from}-${to} 行`),
  rowsAndMore: ({ rows, more }) => `${rows}和另外 ${more} 部分`,
  now: "现在 ",
  was: "原先 ",
  moreDiffer: ({ lines }) => `… 另有 ${lines} 行不同`,
  different: "现在有何不同",
  whole: "现在的全部改动",
  goals: "批准后会话的目标",
  arguments: "参数",
  parts: ({ parts }) => `其 ${parts} 个部分`,
  position: ({ from, to, of }) => `${from}-${to} / ${of}`,
  scrolls: ({ position }) => `行 ${position} · pgup/pgdn`,
};

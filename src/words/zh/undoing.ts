import type { undoing as english } from "../en/undoing.ts";
import type { Twin } from "../twin.ts";

export const undoing: Twin<typeof english> = {
  leftOut: ({ why }) => `! ${why}：跳过它`,
  showsCalls: ({ id }) => `agent sessions show ${id} 显示它的调用`,
  rest: ({ id, calls }) => `agent undo ${id} ${calls.join(" ")} 撤销其余的；加 --rest 则跳过这样的调用`,
  callsOrTurn: "指明调用或 --turn，不可两者都用",
  badTurn: ({ text }) => `--turn 应为从 1 起的数字，或 last，而不是 ${JSON.stringify(text)}`,
  question: ({ without, partial }) => {
    const what = without ? "其余的" : partial ? "它" : "这些";
    return `${partial ? "未全部显示。" : ""}撤销${what}？[${partial ? "yes" : "y"}/N] `;
  },
};

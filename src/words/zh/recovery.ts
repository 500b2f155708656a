import type { recovery as english } from "../en/recovery.ts";
import type { Twin } from "../twin.ts";

export const recovery: Twin<typeof english> = {
  title: "没有看到这次调用如何结束",
  firstOf: ({ count }) => `（1/${count}）`,
  choices: {
    look: "查看它是什么",
    retry: "再做一次",
    done: "它成功了：标为已完成",
    cancel: "取消它",
  },
  started: ({ at }) => `开始于 ${at}`,
  known: "已知：",
  hint: "↑↓ enter · ctrl+c 留待以后",
  helperHint: "↑↓ enter · ctrl+c 停止",
  pasted: "粘贴在这里不作任何决定",
  noChoice: ({ typed }) => `“${typed}”不是这里的选项`,
  lines: {
    title: ({ call }) => `没有看到这次调用如何结束：${call}`,
    helper: ({ agent }) => `属于子代理 ${agent}`,
    facts: ({ at, known }) => `开始于 ${at}。已知：${known}`,
    arguments: ({ text }) => `参数：${text}`,
    asked: ({ choices }) => `现在怎么办？输入 ${choices.join("、")}：`,
    undecided: ({ choices }) => `什么也没决定。输入 ${choices.join("、")}。`,
  },
};

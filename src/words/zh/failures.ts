import type { failures } from "../contract/failures.ts";
import type { Twin } from "../twin.ts";

/** The failures that end a session's work. */
export const sessionFailures: Twin<() => typeof failures> = {
  removed: "它修改的内容还在，但没有任何记录：请查看后再开始新会话",
  modelUnopened: "无法打开模型",
  defect: "会话已保存；请报告此问题",
};

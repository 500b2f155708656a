import type { report as english } from "../en/report.ts";
import type { Twin } from "../twin.ts";

export const report: Twin<typeof english> = {
  error: ({ message }) => `错误：${message}`,
  defect: ({ advice = "这是程序的缺陷", log }) => `${advice}；详情见 ${log}`,
};

import type { agents as english } from "../en/agents.ts";
import type { Twin } from "../twin.ts";

export const agents: Twin<typeof english> = {
  listHint: "enter 读对话 · x 停止 · esc 返回",
  position: ({ at, of }) => `${at}/${of}`,
  stop: "要停止它？按 y 停止，按其他键让它继续",
  ended: "它已结束",
  kept: "它继续运行",
  stopping: "正在停止它",
  steps: ({ steps }) => `${steps} 步`,
  tokens: ({ count }) => `${count} token`,
};

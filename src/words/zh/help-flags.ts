import type { helpFlags as english } from "../en/help-flags.ts";
import type { Twin } from "../twin.ts";

export const helpFlags: Twin<typeof english> = {
  cwd: "在此文件夹工作",
  addDir: "文件工具也可在此文件夹工作，用绝对路径",
  model: "SERVER:NAME、demo 或 script:FILE",
  image: "随消息发送的图片：PNG、JPEG、WebP 或 GIF",
  mode: "ask、accept-edits、read-only、plan 或 full-auto",
  maxSteps: "一个回合最多几步",
  maxCost: "一个回合最多花费，按 config.json 的价格",
  json: "stdout 上每行一个 JSON 对象",
  session: "继续此会话",
  continue: "继续此文件夹最新的会话",
  allow: "本次运行中允许：tool 或 tool(path pattern)",
  toolChoice: "auto、none 或 required",
  toolFormat: "native 或 xml：模型如何调用工具",
  outputSchema: "回答是符合此文件 JSON Schema 的 JSON",
  lang: "en 或 zh",
  sandbox: "auto、required 或 off：命令在哪里运行",
  autoSandbox: "会话所写的可在沙箱中运行，与工作区分开，不询问",
  unmaskedSecrets: "机密读不出、因而无法遮盖时仍继续",
  utc: "时间用 UTC（默认：本地时钟）",
  grantsOf: "带上此会话的授权",
};

import type { helpArtifacts as english } from "../en/help-artifacts.ts";
import type { Twin } from "../twin.ts";

export const helpArtifacts: Twin<typeof english> = {
  artifacts: {
    text: "列出、显示、比较、导出或收回会话所存的文本",
    note: "产物写作 SESSION:a1，它的某个版本写作 SESSION:a1@2。不写会话时，\n指此文件夹中最新的有产物的会话的产物。",
    examples: [
      ["agent artifacts", "此文件夹各会话的产物，最新的会话在前"],
      ["agent artifacts export brisk-otter:a1 report.md", "把它的文本存为文件"],
    ],
    options: { all: "包括其他文件夹" },
  },
  artifactsList: {
    text: "此文件夹各会话的，或某一会话及其子代理的",
    examples: [
      ["agent artifacts list brisk-otter", "一个会话的"],
      ["agent artifacts list --all --json", "每行一个对象，含所有版本和生成它们的调用"],
    ],
    options: { all: "包括其他文件夹" },
  },
  artifactsShow: {
    text: "最后一个版本的文本，或另一个版本的",
    examples: [
      ["agent artifacts show a1", "此文件夹中最新的有产物的会话的"],
      ["agent artifacts show brisk-otter:a1@2", "它的第二个版本"],
    ],
  },
  artifactsDiff: {
    text: "最后一个或另一个版本改了什么；或从一个到另一个",
    examples: [
      ["agent artifacts diff a1", "最后一个版本改了什么"],
      ["agent artifacts diff a1@1 a1@4", "从第一个到第四个"],
    ],
  },
  artifactsExport: {
    text: "把文本写入新文件；给文件夹则用其名称；- 是 stdout",
    examples: [
      ["agent artifacts export a1 report.md", "从不覆盖已有的文件"],
      ["agent artifacts export brisk-otter:a1@2 drafts --force", "写入文件夹；同名文件会被替换"],
    ],
    options: { force: "替换已有的文件" },
  },
  artifactsRm: {
    text: "收回它的所有版本；agent undo 可放回",
    note: "生成它的调用仍在会话的记录中：agent sessions rm 连这些也移除。",
    examples: [["agent artifacts rm brisk-otter:a1", "先询问；--yes 则不"]],
    options: { yes: "不询问，直接批准所打印的内容" },
  },
};

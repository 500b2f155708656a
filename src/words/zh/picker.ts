import type { picker as english } from "../en/picker.ts";
import type { Twin } from "../twin.ts";

export const picker: Twin<typeof english> = {
  help: { argument: "ID", text: "选择要转到的会话" },
  answers: {
    notListed: ({ typed }) => `列表中没有会话 ${typed}：/sessions 显示列表`,
    here: "这就是那个会话",
    none: "没有会话",
    usage: "/sessions NUMBER 转到其中一个",
  },
  ofAll: "所有文件夹的会话",
  ofFolder: ({ folder }) => `${folder} 的会话`,
  position: ({ at, of }) => `${at}/${of}`,
  filtered: ({ text }) => `含 ${text}`,
  noneFound: "没有含这些词的会话",
  none: "没有会话；a 显示其他文件夹",
  untitled: "（无标题）",
  hints: [
    "enter 继续 · / 筛选 · r 改名 · x 删除 · a 所有文件夹 · esc 返回",
    "enter · / 筛选 · r 改名 · x 删除 · a 全部 · esc",
    "enter · / r x a · esc 返回",
  ],
  remove: "永久删除？按 y 删除，按其他键保留",
  removeShort: "永久删除？y · 其他键保留",
  kept: "它已保留",
  naming: "标题：",
  emptyTitle: "标题至少要有一个字符",
  nothingLeft: "那个标题什么也没剩下：保持原样",
  renamed: ({ title }) => `它现在叫“${title}”`,
  here: "你在其中",
  inUse: "另一个进程在使用",
  filesChanged: ({ files }) => `改动 ${files} 个文件`,
  busy: "另一个进程在此会话中工作",
  removeHere: "你正在此会话中：先用 /new",
  more: ({ sessions }) => `… 还有 ${sessions} 个：agent sessions`,
};

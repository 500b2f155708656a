import type { fullView as english } from "../en/full-view.ts";
import type { Twin } from "../twin.ts";

export const fullView: Twin<typeof english> = {
  help: { argument: "", text: "本会话的全部改动" },
  nothingChanged: "本会话没有任何改动",
  changed: "本会话的改动",
  hints: [
    "j k space b g G · J K 改动 · ] [ 文件 · / 搜索 · h l 左右 · v 双栏 · esc 返回",
    "J K 改动 · ] [ 文件 · / 搜索 · h l 左右 · esc 返回",
    "J K 改动 · / 搜索 · esc 返回",
    "J K · / · esc 返回",
  ],
  files: ({ files }) => `${files} 文件`,
  position: ({ from, to, of }) => `${from}-${to}/${of}`,
  end: ({ to }) => `${to}（完）`,
  otherKeys: "J 到下一处改动，K 到上一处",
  noFurther: { file: "后面没有文件了", hunk: "后面没有改动了" },
  noneBefore: { file: "前面没有文件了", hunk: "前面没有改动了" },
  needsRoom: "双栏需要 140 列",
  found: ({ query }) => `/ 和 enter 再次查找“${query}”`,
  notFound: ({ query }) => `其中没有“${query}”`,
  searching: ({ query, looked, total }) => `正在搜索“${query}”，${looked}/${total} 行 · esc 放弃`,
};

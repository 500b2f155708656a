import type { theme as english } from "../en/theme.ts";
import type { Twin } from "../twin.ts";

export const theme: Twin<typeof english> = {
  help: { argument: "NAME", text: "选择屏幕的颜色" },
  title: "屏幕的颜色",
  about: {
    auto: "深色或浅色，随终端的背景",
    dark: "用于深色背景",
    light: "用于浅色背景",
    "ansi-16": "终端自带的十六种颜色",
    none: "无颜色：改动的词在 ⟦ ⟧ 中",
  },
  sample: "改动看起来这样：",
  before: "不再增加",
  after: "按设置",
  hint: "enter 保留 · esc 返回",
  position: ({ at, of }) => `${at}/${of}`,
  kept: ({ theme, file }) => `主题 ${theme}，保存在 ${file}`,
  now: ({ theme, themes }) => `主题 ${theme}；/theme NAME 换用另一个：${themes.join(", ")}`,
  unknown: ({ theme, themes }) => `没有主题 ${theme}；可用的有 ${themes.join(", ")}`,
  noColors: "此终端不显示颜色（NO_COLOR 或 TERM）：主题在这里不起作用",
};

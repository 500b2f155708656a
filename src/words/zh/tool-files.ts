import type { toolFiles as english } from "../en/tool-files.ts";
import type { Twin } from "../twin.ts";

export const toolFiles: Twin<typeof english> = {
  nameShape: "工具文件的名称以 .mjs、.ts 或 .mts 结尾",
  missing: ({ path }) => `没有文件 ${path}`,
  noText: "它不是 UTF-8",
  noFile: "它不是普通文件",
  changed: "它在等你信任：项目的文件在你信任之后有改动（agent trust）",
  waits: "它在等你信任（agent trust）",
};

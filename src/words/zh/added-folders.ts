import type { addedFolders as english } from "../en/added-folders.ts";
import type { Twin } from "../twin.ts";

export const addedFolders: Twin<typeof english> = {
  relative: ({ dir }) => `${dir} 是相对路径：请写完整路径`,
  missing: ({ dir }) => `没有文件夹 ${dir}`,
  noFolder: ({ dir }) => `${dir} 不是文件夹`,
  holdsHome: ({ dir }) => `${dir} 包含你的主目录，或就是它：请指明要用的文件夹`,
  kernel: ({ dir }) => `${dir} 包含内核文件`,
};

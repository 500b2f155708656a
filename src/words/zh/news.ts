import type { news as english } from "../en/news.ts";
import type { Twin } from "../twin.ts";

export const news: Twin<typeof english> = {
  same: "与你批准过的一次调用相同",
  same_words: "命令相同，但它的文件夹、调用选项或所运行的内容变了",
  same_program: "程序相同，其余不同",
  first_command: "还没批准过这类命令",
  same_file: ({ times }) => `同一文件，批准过它的 ${times} 次改动`,
  other_file: "同一文件夹中的另一文件",
  first_folder: "还没批准过此文件夹中的内容",
  first_deletion: "还没批准过删除",
  other_arguments: "工具相同，参数不同",
  first_of_tool: "还没批准过此工具的调用",
};

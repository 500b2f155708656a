import type { commandLine as english } from "../contract/command-line.ts";
import type { Twin } from "../twin.ts";

export const commandLine: Twin<() => typeof english> = {
  missingArgument: ({ name }) => `错误：缺少必需的参数 '${name}'`,
  missingValue: ({ flags }) => `错误：选项 '${flags}' 后面缺少值`,
  missingOption: ({ flags }) => `错误：没有给出必需的选项 '${flags}'`,
  unknownOption: ({ flag }) => `错误：没有选项 '${flag}'`,
  unknownOptionNear: ({ flag, near }) => `错误：没有选项 '${flag}'\n（是不是想用 ${near}？）`,
  unknownOptionNearSome: ({ flag, near }) => `错误：没有选项 '${flag}'\n（是不是想用其中之一：${near}？）`,
  unknownCommand: ({ name }) => `错误：没有命令 '${name}'`,
  unknownCommandNear: ({ name, near }) => `错误：没有命令 '${name}'\n（是不是想用 ${near}？）`,
  unknownCommandNearSome: ({ name, near }) => `错误：没有命令 '${name}'\n（是不是想用其中之一：${near}？）`,
};

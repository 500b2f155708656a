import type { patterns as english } from "../en/patterns.ts";
import type { Twin } from "../twin.ts";

export const patterns: Twin<typeof english> = {
  empty: "路径模式为空",
  tooLong: ({ most }) => `路径模式超过 ${most} 个字符`,
  nul: "路径模式中有 NUL 字符",
  negated: "路径模式不能用 '!' 取反：写一条 deny 规则",
  tilde: "'~' 在路径模式中不展开：写完整路径",
  unbalanced: "有 '{' 或 '}' 不成对",
  tooManyWays: ({ most }) => `花括号代表超过 ${most} 个路径模式`,
  halfAbsolute: "路径模式在一个花括号中是绝对的，在另一个中是相对的",
  parent: "路径模式中不允许 '..'",
};

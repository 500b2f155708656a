import type { Table } from "../again.ts";

/** The sentences of the library of shapes (zod) on a value that has another one: of a setting, a table of ours, a line of a script. */
export const shapes: Table = {
  "Invalid input: expected {what}, received {wrong}": "应为{what}，却是{wrong}",
  "Invalid input: expected {value}": "应为 {value}",
  "Invalid option: expected one of {values}": "应为以下之一：{values}",
  "Too big: expected {what} to have exactly {n} {because}": "太大：{what}应正好有 {n} {because}",
  "Too small: expected {what} to have exactly {n} {because}": "太小：{what}应正好有 {n} {because}",
  "Too big: expected {what} to be exactly {n}": "太大：{what}应正好是 {n}",
  "Too small: expected {what} to be exactly {n}": "太小：{what}应正好是 {n}",
  "Too big: expected {what} to have {most} {because}": "太大：{what}应有 {most} {because}",
  "Too small: expected {what} to have {least} {because}": "太小：{what}应有 {least} {because}",
  "Too big: expected {what} to be {most}": "太大：{what}应 {most}",
  "Too small: expected {what} to be {least}": "太小：{what}应 {least}",
  'Invalid string: must start with "{text}"': '字符串应以 "{text}" 开头',
  'Invalid string: must end with "{text}"': '字符串应以 "{text}" 结尾',
  'Invalid string: must include "{text}"': '字符串应含有 "{text}"',
  "Invalid string: must match pattern {pattern}": "字符串应符合模式 {pattern}",
  "Invalid number: must be a multiple of {n}": "应为 {n} 的倍数",
  "Unrecognized key: {key}": "不认识的键 {key}",
  "Unrecognized keys: {keys}": "不认识的键 {keys}",
  "Invalid key in {what}": "{what}中有不允许的键",
  "Invalid value in {what}": "{what}中有不允许的值",
  "Invalid discriminator value. Expected {values}": "区分用的值不对。应为 {values}",
  "Invalid input: more than one option matched": "符合的选项不止一个",
  "Invalid input": "不允许的值",
  "Invalid URL": "不是 URL",
  "Invalid email address": "不是邮箱地址",
  "  → at {place}": "  → 在 {place}",
};

/** The kinds of values, and what they are counted in, as those sentences name them. */
export const shapeKinds: Table = {
  string: "字符串",
  number: "数",
  int: "整数",
  boolean: "布尔值",
  array: "数组",
  object: "对象",
  record: "对象",
  map: "对象",
  set: "集合",
  null: "null",
  undefined: "没有值",
  value: "值",
  characters: "个字符",
  items: "项",
  elements: "项",
  entries: "项",
  keys: "个键",
  bytes: "字节",
};

const [endsLatin, beginsLatin] = [/[!-~]$/u, /^[!-~]/u];

/** Joins kinds of values, or values, one of which is wanted. */
export function oneOf(kinds: readonly string[]): string {
  const [before, last = ""] = [kinds.slice(0, -1).join("、"), kinds.at(-1)];
  return `${before}${endsLatin.test(before) ? " " : ""}或${beginsLatin.test(last) ? " " : ""}${last}`;
}

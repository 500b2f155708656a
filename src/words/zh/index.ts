/** Chinese, as it is written on the mainland: every room of `en/` by its name. */
export { rule } from "./rule.ts";

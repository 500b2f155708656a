import { sanitise } from "../terminal/sanitise.ts";

/** Hidden characters by their numbers, controls too: not every font of a browser has pictures of them. */
const controls = /[\0-\x08\x0b-\x1f\x7f]/gu;
const named = (sign: string): string => `‹U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}›`;

/** Text of several lines on a page: nothing vanishes but how its lines end. */
export const pageBlock = (text: string): string =>
  sanitise(text.replaceAll("\r\n", "\n").replace(controls, named), {
    keepNewlines: true,
    tabWidth: 0,
    showSequences: true,
  });

/** Text on one line of a page. */
export const pageLine = (text: string): string =>
  sanitise(text.replace(/\n/gu, named).replace(controls, named), { tabWidth: 1, showSequences: true });

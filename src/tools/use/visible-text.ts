import { withoutUnseen } from "../../core/unseen.ts";

/** Without controls, and without signs that nobody sees, in which a page may hide words from a person. Line ends become plain ones. */
export const visibleText = (text: string): string =>
  withoutUnseen(text.replace(/\r\n?/gu, "\n").replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/gu, ""));

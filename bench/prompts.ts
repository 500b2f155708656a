import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fortyCalls, type Having, playForty } from "../test/support/forty-calls.ts";
import type { Row } from "./row.ts";
import type { World } from "./world.ts";

const open = ["--auto-sandbox", "--mode", "accept-edits"];
const ofTests = { tool: "shell", command: "npm test *", decision: "allow" };

const ways: readonly { what: string; having: Having; most?: number }[] = [
  { what: "questions of a session, mode ask", having: {}, most: 4 },
  { what: "questions where the mode stays ask", having: { keepsMode: true } },
  { what: "questions with --auto-sandbox", having: { flags: ["--auto-sandbox"] }, most: 1 },
  { what: "questions with it, edits accepted", having: { flags: open } },
  { what: "questions with a rule for the tests too", having: { flags: open, rules: [ofTests] } },
];

/** How often a person is asked in a session of forty calls, where each question gets the widest answer that is offered. */
export async function benchPrompts({ folder }: World): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [index, { what, having, most }] of ways.entries()) {
    const root = join(folder, `prompts-${index}`);
    mkdirSync(root, { recursive: true });
    const { asked: answers, failed } = await playForty(root, having);
    if (failed !== "") throw new Error(`calls failed: ${failed}`);
    const asked = answers.length;
    const beside = `${fortyCalls.length} calls`;
    rows.push({
      what,
      figure: String(asked),
      beside,
      ratio: asked / fortyCalls.length,
      aim: most === undefined ? "" : `<= ${most}`,
      kept: asked <= (most ?? asked),
    });
  }
  return rows;
}

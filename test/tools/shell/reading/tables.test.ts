import { afterAll, describe, expect, it } from "vitest";
import { destructive, destructiveRow } from "../../../../src/tools/shell/reading/destructive.ts";
import { readerReason, readers } from "../../../../src/tools/shell/reading/only-reads.ts";
import { shellProject } from "../../../policy/shell/place.ts";

const project = shellProject();
afterAll(() => project.remove());

/** Whether all of a line only reads. */
const onlyReads = async (line: string): Promise<boolean> => {
  const { commands, ...facts } = await project.facts(line);
  return commands[0]?.refused === undefined && commands.every((one) => readerReason(one, facts) !== undefined);
};

describe("programs that only read", () => {
  it.each(readers.map((row) => [row.programs.join(" "), row] as const))("%s: as its examples say", async (_, row) => {
    const found = async (lines: readonly string[]) =>
      Promise.all(lines.map(async (line) => [line, await onlyReads(line)] as const));
    expect({ match: await found(row.match), notMatch: await found(row.notMatch) }).toEqual({
      match: row.match.map((line) => [line, true]),
      notMatch: row.notMatch.map((line) => [line, false]),
    });
  });
});

describe("commands that destroy", () => {
  it.each(destructive.map((row) => [row.why, row] as const))("%s", async (_, row) => {
    const found = async (lines: readonly string[]) =>
      Promise.all(
        lines.map(async (line) => {
          const { commands } = await project.facts(line);
          return [line, commands.some((command) => destructiveRow(command) === row)] as const;
        }),
      );
    expect({ match: await found(row.match), notMatch: await found(row.notMatch) }).toEqual({
      match: row.match.map((line) => [line, true]),
      notMatch: row.notMatch.map((line) => [line, false]),
    });
  });
});

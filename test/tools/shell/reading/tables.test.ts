import { afterAll, describe, expect, it } from "vitest";
import { allBoxRows } from "../../../../src/tools/shell/reading/box-rows.ts";
import { destructive, destructiveRow } from "../../../../src/tools/shell/reading/destructive.ts";
import { keyrings, keyringUse } from "../../../../src/tools/shell/reading/keyrings.ts";
import { readerReason } from "../../../../src/tools/shell/reading/only-reads.ts";
import { readers } from "../../../../src/tools/shell/reading/reader-table.ts";
import { shellProject } from "../../../policy/shell/place.ts";

const project = shellProject();
afterAll(() => project.remove());

/** Whether all of a line only reads. */
const onlyReads = async (line: string, sandbox = false): Promise<boolean> => {
  const { commands, ...facts } = await project.facts(line);
  return (
    commands[0]?.refused === undefined &&
    commands.every((one) => readerReason(one, { ...facts, sandbox }) !== undefined)
  );
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

describe("programs that only read in the box of a line that only reads", () => {
  it.each(allBoxRows.map((row) => [row.programs.join(" ") || "any program", row] as const))(
    "%s: as its examples say",
    async (_, row) => {
      const found = async (lines: readonly string[]) =>
        Promise.all(lines.map(async (line) => [line, await onlyReads(line, true)] as const));
      expect({ match: await found(row.match), notMatch: await found(row.notMatch) }).toEqual({
        match: row.match.map((line) => [line, true]),
        notMatch: row.notMatch.map((line) => [line, false]),
      });
    },
  );

  it("are asked about where there is no sandbox, and where the line asks for the network", async () => {
    const { commands, ...facts } = await project.facts("grep -r foo .");
    const reasons = [{}, { sandbox: false }, { sandbox: true, network: true }].map((place) =>
      commands.map((one) => readerReason(one, { ...facts, ...place })),
    );
    expect(reasons).toEqual([[undefined], [undefined], [undefined]]);
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

describe("commands that speak to a keyring", () => {
  it.each(keyrings.map((row) => [row.patterns[0], row] as const))("%s: as its examples say", async (_, row) => {
    const found = async (lines: readonly string[]) =>
      Promise.all(
        lines.map(async (line) => {
          const { commands } = await project.facts(line);
          return [line, commands.some((command) => keyringUse(command) !== undefined)] as const;
        }),
      );
    expect({ match: await found(row.match), notMatch: await found(row.notMatch) }).toEqual({
      match: row.match.map((line) => [line, true]),
      notMatch: row.notMatch.map((line) => [line, false]),
    });
  });
});

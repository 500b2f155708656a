import { expect, test } from "vitest";
import { nearestName } from "../../src/core/nearest-name.ts";

const names = ["read_file", "write_file", "ls", "grep"];

test.each([
  ["readFile", "read_file"],
  ["Read_File", "read_file"],
  ["read-file", "read_file"],
  ["readfil", "read_file"],
  ["write", "write_file"],
  ["gerp", undefined],
  ["grepp", "grep"],
  ["LS", "ls"],
  ["delete_database", undefined],
  ["", undefined],
  ["_", undefined],
  ["x".repeat(100_000), undefined],
])("%s -> %s", (asked, name) => {
  expect(nearestName(asked, names)).toBe(name);
});

import { describe, expect, it } from "vitest";
import { survivals } from "./cuts.ts";
import { Disk, type DiskState, type Survival } from "./disk.ts";
import type { Operation } from "./operations.ts";

const old = Buffer.from("old");
const before: DiskState = new Map([
  ["work", { folder: true, mode: 0o700 }],
  ["work/a", { bytes: old, mode: 0o644, inode: 1 }],
]);
const next = Buffer.from("new");
const staged: Operation[] = [
  { kind: "make", path: "work/t", mode: 0o600 },
  { kind: "write", path: "work/t", at: 0, bytes: next },
  { kind: "mode", path: "work/t", mode: 0o644 },
];
const fileSynced: Operation = { kind: "sync", path: "work/t", data: false };
const renamed: Operation = { kind: "rename", path: "work/t", to: "work/a" };
const folderSynced: Operation = { kind: "sync", path: "work", data: false };

/** Name, bytes and mode of each file. */
const left = (operations: readonly Operation[], survival: Survival): unknown[] => {
  const disk = new Disk(before);
  for (const operation of operations) disk.apply(operation);
  return [...disk.after(survival)].flatMap(([path, is]) =>
    "bytes" in is ? [[path, is.bytes.toString("latin1"), is.mode.toString(8)]] : [],
  );
};
const lost = survivals["all lost"]();
const namesKept = survivals["names kept"]();

describe("a file that was replaced when the power went", () => {
  it("is the old one where nothing was synced, and empty where its new name came through alone", () => {
    const all = [...staged, renamed];
    expect(left(all, lost)).toEqual([["work/a", "old", "644"]]);
    expect(left(all, namesKept)).toEqual([["work/a", "", "600"]]);
    expect(left(all, survivals["all kept"]())).toEqual([["work/a", "new", "644"]]);
  });

  it("is the old one or the new one where the bytes were synced first, and the new one once its folder was synced", () => {
    const all = [...staged, fileSynced, renamed];
    expect(left(all, lost)).toEqual([["work/a", "old", "644"]]);
    expect(left(all, namesKept)).toEqual([["work/a", "new", "644"]]);
    expect(left([...all, folderSynced], lost)).toEqual([["work/a", "new", "644"]]);
  });

  it("is empty for good where only its folder was synced", () => {
    expect(left([...staged, renamed, folderSynced], lost)).toEqual([["work/a", "", "600"]]);
  });

  it("has lost the last of its folder's changes and kept the first", () => {
    const first: Survival = { names: () => 1, pages: (count) => count };
    expect(left([...staged, renamed], first)).toEqual([
      ["work/a", "old", "644"],
      ["work/t", "new", "644"],
    ]);
  });
});

describe("bytes that were written when the power went", () => {
  const long: Operation[] = [{ kind: "write", path: "work/a", at: 4095, bytes: next }];

  it("are there in whole blocks, and the length by itself", () => {
    const firstBlock: Survival = {
      names: (count) => count,
      pages: (() => {
        const kept = [1, 0, 1];
        return () => kept.shift() ?? 0;
      })(),
    };
    expect(left(long, firstBlock)).toEqual([["work/a", `old${"\0".repeat(4092)}n${"\0".repeat(2)}`, "644"]]);
  });

  it("are there without the mode where they alone were synced", () => {
    const data: Operation[] = [...staged, { ...fileSynced, data: true }, folderSynced];
    expect(left(data, lost)).toEqual([
      ["work/a", "old", "644"],
      ["work/t", "new", "600"],
    ]);
  });

  it("come back where a file was cut off", () => {
    const cut: Operation[] = [{ kind: "resize", path: "work/a", size: 0 }];
    expect(left(cut, lost)).toEqual([["work/a", "old", "644"]]);
    expect(left([...cut, { kind: "sync", path: "work/a", data: false }], lost)).toEqual([["work/a", "", "644"]]);
  });
});

import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { foldersOfMachine, isOfMachine, isPutForAll } from "../../../../src/tools/shell/reading/of-machine.ts";
import { tempTree } from "../../temp-tree.ts";

describe("a file that was installed for all users of the machine", () => {
  it("is one of the system's, and not its settings, a folder, or what is not there", () => {
    const found = ["/usr/bin/env", "/usr/bin", "/usr/local/etc/x", "/usr/nothing", "/etc/hosts", "/usr"].map((path) =>
      isOfMachine(path),
    );
    expect(found).toEqual([true, false, false, false, false, false]);
  });

  it.each([
    ["/usr/bin/env", true, true],
    ["/usr/lib/app/config/a.h", true, true],
    ["/usr/etc/a", false, false],
    ["/usr/local/include/a.h", true, false],
    ["/usr/local/etc/a", false, false],
    ["/opt/app/include/a.h", true, false],
    ["/opt/app/settings.py", true, false],
    ["/opt/app/etc/secret.conf", false, false],
    ["/opt/config/a", false, false],
    ...["conf", "Config", "var", "log", "secrets"].map((name) => [`/opt/a/b/${name}/c/d`, false, false] as const),
    ["/opt/app/configure/a", true, false],
    ["/nix/store/a/etc/b", true, true],
    ["/home/a/b", false, false],
  ] as [string, boolean, boolean][])("may be %s for a user: %s, for root: %s", (path, forUser, forRoot) => {
    expect([isPutForAll(path, false), isPutForAll(path, true)]).toEqual([forUser, forRoot]);
  });

  it("is none of a person's own, whatever its rights are", () => {
    const root = tempTree({ "a.h": "a\n" });
    // Folders of temporaries are anybody's to write in.
    expect(isOfMachine(join(root, "a.h"), () => true)).toBe(false);
  });

  it("may lie deeper in a folder of the system's, and in none of a person's own", () => {
    const below = (top: string, folder: string): boolean => foldersOfMachine(top, () => true)(folder);
    const own = tempTree();
    expect(below("/usr", "/usr/bin")).toBe(true);
    expect(foldersOfMachine("/usr/share")("/usr/etc")).toBe(false);
    expect(below("/usr", "/usr/nothing")).toBe(false);
    expect(below(own, "/usr/bin")).toBe(false);
    expect(foldersOfMachine("/usr/local/etc")("/usr/bin")).toBe(false);
  });

  it.runIf(process.geteuid?.() === 0)(
    "is none that others may change, nor one that is not for all (needs root)",
    () => {
      const folder = mkdtempSync("/opt/holdfast-");
      onTestFinished(() => rmSync(folder, { recursive: true }));
      chmodSync(folder, 0o755);
      const file = (name: string, mode: number): string => {
        const path = join(folder, name);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, "a\n");
        chmodSync(path, mode);
        return path;
      };
      const plain = file("include/a.h", 0o644);
      const [group, secret, theirs, open] = [
        file("group.h", 0o664),
        file("secret.h", 0o640),
        file("theirs.h", 0o644),
        file("open/a.h", 0o644),
      ];
      chownSync(theirs, 1, 1);
      chmodSync(dirname(open), 0o777);
      const link = join(folder, "link.h");
      symlinkSync(plain, link);
      const all = [plain, group, secret, theirs, open, link];
      expect(all.map((path) => isOfMachine(path, (one) => isPutForAll(one, false)))).toEqual([
        true,
        false,
        false,
        false,
        false,
        false,
      ]);
      // What root's own projects hold, root alone may change, too.
      expect(isOfMachine(plain)).toBe(false);
    },
  );
});

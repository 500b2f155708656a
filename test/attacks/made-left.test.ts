import { lstatSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { madeStage } from "../support/made-stage.ts";
import { describeInSandbox } from "../support/needs.ts";
import { tempTree } from "../tools/temp-tree.ts";

/** Every way to a mode that a program of this machine has: by name, by descriptor, as it is made, by calls that no library has a word for. */
const ways = (folder: string): string => `
import ctypes, errno, os, platform, sys
libc = ctypes.CDLL(None, use_errno=True)
at = "${folder}/"
def way(name, made):
    try: made(at + name)
    except OSError as e: print(name, errno.errorcode[e.errno])
    else: print(name, "done")
def call(number, *words):
    if libc.syscall(ctypes.c_long(number), *words) < 0: raise OSError(ctypes.get_errno(), "")
def plain(path): os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o755)); return path
def fd(path): return os.open(plain(path), os.O_RDWR)
def unnamed(path):
    made = os.open(at, os.O_TMPFILE | os.O_RDWR, 0o4755)
    os.link("/proc/self/fd/%d" % made, path, follow_symlinks=True)
class How(ctypes.Structure): _fields_ = [(n, ctypes.c_uint64) for n in ("flags", "mode", "resolve")]
for bits in (0o4755, 0o2755, 0o6711):
    end = "-%o" % bits
    way("chmod" + end, lambda p: os.chmod(plain(p), bits))
    way("fchmod" + end, lambda p: os.fchmod(fd(p), bits))
    way("fchmodat" + end, lambda p: os.chmod(os.path.basename(plain(p)), bits, dir_fd=os.open(at, os.O_RDONLY)))
    way("folder" + end, lambda p: (os.mkdir(p), os.chmod(p, bits)))
    way("open" + end, lambda p: os.open(p, os.O_CREAT | os.O_WRONLY, bits))
    way("mknod" + end, lambda p: os.mknod(p, bits | 0o100000))
    way("fchmodat2" + end, lambda p: call(452, -100, plain(p).encode(), bits, 0))
    way("openat2" + end, lambda p: call(437, -100, p.encode(), ctypes.byref(How(os.O_CREAT | os.O_WRONLY, bits, 0)), 24))
    if platform.machine() == "x86_64":
        for name, number, arguments in (("chmod", 90, (bits,)), ("fchmodat", 268, None), ("x32", 90 | 1 << 30, (bits,)), ("creat", 85, (bits,)), ("open", 2, (0o101, bits)), ("mknod", 133, (bits | 0o100000, 0))):
            way("bare-" + name + end, lambda p: call(number, plain(p).encode(), *arguments) if arguments and number in (90, 90 | 1 << 30) else call(number, -100, plain(p).encode(), bits) if arguments is None else call(number, p.encode(), *arguments))
way("unnamed", unnamed)
os.chmod(plain(at + "honest"), 0o750); os.mkdir(at + "sticky"); os.chmod(at + "sticky", 0o1777)
print(oct(os.stat(at + "honest").st_mode), oct(os.stat(at + "sticky").st_mode))
libc.syscall(ctypes.c_long(257), -100, plain(at + "read").encode(), 0, 0o6755)
print("end")
`;

describeInSandbox(
  "what a script that the session made leaves in a folder that the person named (needs bubblewrap)",
  () => {
    test("has its owner's or its group's rights by no way; all other modes are set as they were", async () => {
      const named = tempTree({});
      const { run, write } = madeStage({ shell: { sandboxWrite: [named] } });
      write("x.py", ways(named));
      write(
        "x.sh",
        `cp /bin/true ${named}/copied; chmod u+s ${named}/copied; install -m 4755 /bin/true ${named}/installed\n`,
      );
      const { output } = await run("python3 x.py");
      const lines = output.split("\n");
      expect(output).toContain("0o100750 0o41777\nend\n");
      expect(lines.filter((line) => / done$/u.test(line))).toEqual([]);
      expect(lines.filter((line) => / EPERM$/u.test(line)).length).toBeGreaterThanOrEqual(22);
      await run("bash x.sh");
      const found = readdirSync(named).filter((name) => (lstatSync(join(named, name)).mode & 0o6000) !== 0);
      expect(found).toEqual([]);
      expect(readdirSync(named)).toContain("copied");
    });
  },
);

describeInSandbox("why what the session made asks all the same (needs bubblewrap)", () => {
  test.each([
    ["conftest.py", "python runs it"],
    ["package.json", "its scripts and packages run"],
    ["sub/sitecustomize.py", "a shell or an interpreter runs it"],
    [".husky/pre-commit", "it is a hook"],
  ])("%s that it wrote too is named, and why", async (name, because) => {
    const { prepare, judge, write, workspace } = madeStage();
    write("x.sh", "echo 1\n");
    expect(await judge("bash x.sh")).toBe("apart allow");
    write(name, "# 1\n");
    const asked = await prepare("bash x.sh");
    if (asked.kind !== "ready") throw new Error(asked.kind);
    expect(asked.verdict.decision).toBe("ask");
    expect(asked.verdict.why).toContain(
      `this session also wrote ${name}, so nothing that it wrote runs in the sandbox unasked: `,
    );
    expect(asked.verdict.why).toContain(because);
    const off = madeStage({ isOn: false, workspace });
    off.write("x.sh", "echo 1\n");
    off.write(name, "# 1\n");
    const plain = await off.prepare("bash x.sh");
    expect(plain.kind === "ready" && plain.verdict.why).not.toContain("also wrote");
    writeFileSync(join(workspace, name), "# 2\n");
    expect(await judge("bash x.sh")).toBe("apart allow");
  });
});

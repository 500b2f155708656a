import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { ShellSettings } from "../../src/tools/shell/running/surroundings.ts";
import { describeInSandbox } from "../support/needs.ts";
import { shellStage } from "../tools/shell/support.ts";
import { tempTree } from "../tools/temp-tree.ts";

/** A home that no /tmp of the sandbox hides. */
function aHome(files: Record<string, string>): string {
  const home = realpathSync(mkdtempSync("/var/tmp/holdfast-left-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  return home;
}

const boxed = (home: string, more: Partial<ShellSettings> = {}, folder = tempTree()) =>
  shellStage(
    { sandbox: "required", scratch: tempTree(), ...more, env: { ...process.env, HOME: home, ...more.env } },
    folder,
  );

describeInSandbox("what a command in the sandbox leaves for the next (needs bubblewrap)", () => {
  test("in its folder for temporaries leads that nowhere", async () => {
    for (const leave of [
      "rm -rf $T; ln -s $A $T",
      "rm -rf $T; mv $T $T.old; ln -s $A $T",
      "ln -sfn $A $(dirname $T)/tmp",
    ]) {
      const home = aHome({ "private/a.txt": "private\n", "work/in": "" });
      const { run } = boxed(
        home,
        { scratch: join(home, "ours/shell/a"), hidden: [join(home, "ours")] },
        join(home, "work"),
      );
      const at = join(home, "private");
      for (const folder of ["TMPDIR", "XDG_CACHE_HOME"])
        await run(leave.replaceAll("$T", `$${folder}`).replaceAll("$A", at));
      const { output } = await run(
        `cat /tmp/a.txt $TMPDIR/a.txt $XDG_CACHE_HOME/a.txt; echo x > /tmp/new; echo x > $XDG_CACHE_HOME/new; cat /tmp/new`,
      );
      expect(output).not.toContain("private\n");
      expect(output).toContain("x\n");
      expect(readdirSync(at)).toEqual(["a.txt"]);
    }
  });

  test("and what lay there as a link from before is made a folder", async () => {
    const home = aHome({ "private/a.txt": "private\n", "ours/b": "" });
    for (const name of ["tmp", "cache"]) symlinkSync(join(home, "private"), join(home, "ours", name));
    const { run } = boxed(home, { scratch: join(home, "ours") });
    const { output } = await run(
      "cat /tmp/a.txt $XDG_CACHE_HOME/a.txt; echo kept > $TMPDIR/k; echo kept > $XDG_CACHE_HOME/k",
    );
    expect(output).not.toContain("private\n");
    expect((await run("cat $TMPDIR/k $XDG_CACHE_HOME/k")).output).toBe("kept\nkept\n(exit code 0)");
    expect(readdirSync(join(home, "private"))).toEqual(["a.txt"]);
  });

  test("in its caches is not what a command without it finds in its own", async () => {
    const scratch = tempTree();
    const free = shellStage({ scratch });
    await boxed(aHome({}), { scratch }).run(
      "mkdir -p $npm_config_cache/_npx/a; echo evil > $npm_config_cache/_npx/a/run; echo evil > $TMPDIR/a",
    );
    const { output } = await free.run(
      "cat $npm_config_cache/_npx/a/run $TMPDIR/a 2>/dev/null; echo own > $XDG_CACHE_HOME/own; cat $XDG_CACHE_HOME/own",
    );
    expect(output).toBe("own\n(exit code 0)");
    expect((await free.run("cat $XDG_CACHE_HOME/own")).output).toBe("own\n(exit code 0)");
  });

  test("as a link in the workspace shows nothing of the home that nobody named", async () => {
    const home = aHome({
      "letters/a.txt": "private\n",
      "work/bin/tool": "",
      "place/in/b": "",
      ".local/lib/other/run": "found\n",
    });
    mkdirSync(join(home, ".local/bin"));
    symlinkSync(join(home, "work/bin/tool"), join(home, ".local/bin/tool"));
    symlinkSync(join(home, ".local/lib/other/run"), join(home, ".local/bin/run"));
    mkdirSync(join(home, "data"));
    symlinkSync(join(home, "work/out"), join(home, "data/out"));
    symlinkSync(join(home, "place/deep/in"), join(home, "in"));
    mkdirSync(join(home, "place/deep/in"), { recursive: true });
    const { run } = boxed(
      home,
      {
        env: { PATH: `${join(home, ".local/bin")}:${process.env["PATH"]}`, JAVA_HOME: join(home, "work/jdk") },
        sandboxRead: [join(home, "data/out/letters")],
        sandboxWrite: [join(home, "place"), join(home, "in")],
      },
      join(home, "work"),
    );
    expect((await run("cat ~/.local/bin/run; echo kept > ~/in/kept; cat ~/place/deep/in/kept")).output).toContain(
      "found\n",
    );
    writeFileSync(
      join(home, "work/leave.sh"),
      "ln -sf ../../letters/a.txt bin/tool; ln -s .. out; ln -s ../letters jdk; mv ~/place/deep ~/place/d2; ln -s ../letters ~/place/deep; ls -l ~/place bin out\n",
    );
    expect((await run("sh leave.sh")).output).toContain("../../letters/a.txt");
    symlinkSync(join(home, "letters/a.txt"), join(home, "work/a.txt"));
    // What a line names is shown to it: a script names nothing.
    writeFileSync(
      join(home, "work/look.sh"),
      "cat ~/letters/a.txt ~/data/out/letters/a.txt a.txt jdk/a.txt bin/tool ~/place/deep/a.txt ~/in/a.txt\n",
    );
    const { output } = await run("sh look.sh");
    expect(output).not.toContain("private\n");
  });
});

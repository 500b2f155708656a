import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { mayRunPrograms } from "../../../../src/files/git/working-keys.ts";
import { gitSettings } from "../../../../src/tools/shell/reading/git-settings.ts";
import { tempTree } from "../../temp-tree.ts";

/** A setting in the form of a file of git's. */
const setting = (name: string, value = "evil"): string => {
  const [section = "", ...rest] = name.split(".");
  const key = rest.pop() ?? "";
  return `[${section}${rest.length === 0 ? "" : ` "${rest.join(".")}"`}]\n\t${key} = ${value}\n`;
};

/** A repository in this folder, with these settings and hooks. */
function repository(folder: string, config = "", hooks: string[] = []): string {
  const put = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, ".git", name)), { recursive: true });
    writeFileSync(join(folder, ".git", name), text);
  };
  put("HEAD", "ref: refs/heads/main\n");
  put("config", config);
  put("objects/info/x", "");
  put("refs/heads/x", "");
  for (const hook of hooks) {
    put(`hooks/${hook}`, "#!/bin/sh\n");
    chmodSync(join(folder, ".git/hooks", hook), 0o755);
  }
  return folder;
}

describe("settings of a repository", () => {
  it.each(
    `core.fsmonitor core.hooksPath core.sshCommand core.pager core.editor core.gitProxy core.askPass core.attributesFile core.worktree
    core.alternateRefsCommand sequence.editor pager.log diff.external diff.x.command diff.x.textconv filter.x.clean filter.x.smudge
    filter.x.process merge.x.driver credential.helper credential.https://a.b.helper gpg.program gpg.ssh.program gpg.ssh.defaultKeyCommand
    alias.st include.path includeIf.gitdir:~/x.path remote.origin.uploadpack remote.origin.receivepack remote.origin.vcs protocol.ext.allow
    protocol.allow submodule.a.update uploadpack.packObjectsHook gc.recentObjectsHook browser.x.cmd browser.x.path man.x.cmd man.viewer
    help.browser web.browser mergetool.x.cmd mergetool.x.path difftool.x.cmd guitool.x.cmd interactive.diffFilter trailer.x.command
    trailer.x.cmd tar.x.command sendemail.sendmailCmd sendemail.smtpServer sendemail.toCmd sendemail.x.ccCmd imap.tunnel init.templateDir
    instaweb.httpd instaweb.browser url.ext::x.insteadOf hook.x.command extensions.partialClone remote.x.promisor`.split(
      /\s+/u,
    ),
  )("may run a program by %s", (name) => {
    expect(
      [setting(name), setting(name.toUpperCase()), setting(name).replaceAll("\n\t", " ")].map(mayRunPrograms),
    ).toEqual([true, true, true]);
  });

  it.each([
    "user.name",
    "core.bare",
    "core.autocrlf",
    "remote.origin.url",
    "remote.origin.fetch",
    "branch.main.merge",
    "pull.rebase",
  ])("run none by %s", (name) => {
    expect(mayRunPrograms(setting(name))).toBe(false);
  });

  it("of the person's own repository are theirs, and those of one below are anybody's", () => {
    const top = realpathSync(tempTree());
    repository(top, setting("core.editor", "vim"), ["pre-commit"]);
    const inner = repository(join(top, "inner"), "", ["pre-commit"]);
    const plain = repository(join(top, "plain"), setting("user.name", "A"), ["pre-commit.sample"]);
    const asked = (cwd: string | undefined) => gitSettings(cwd, [top]);
    expect(asked(top)).toEqual({ obeysWhenRead: false, obeysStranger: false });
    expect(asked(inner)).toEqual({ obeysWhenRead: false, obeysStranger: true });
    expect(asked(plain)).toEqual({ obeysWhenRead: false, obeysStranger: false });
    expect(asked(undefined)).toEqual({ obeysWhenRead: true, obeysStranger: true });
    expect(gitSettings(top, [inner])).toEqual({ obeysWhenRead: false, obeysStranger: false });
  });

  it("count where git is only asked for its state, for it may run the hook that tells of a new index", () => {
    const top = realpathSync(tempTree());
    const git = (...args: string[]) => spawnSync("git", args, { cwd: top, encoding: "utf8" });
    git("init", "-q");
    writeFileSync(join(top, "a.txt"), "a\n");
    git("add", "a.txt");
    expect(gitSettings(top, [top]).obeysWhenRead).toBe(false);
    const hook = join(top, ".git/hooks/post-index-change");
    mkdirSync(dirname(hook), { recursive: true });
    writeFileSync(hook, "#!/bin/sh\n: > ran\n", { mode: 0o755 });
    writeFileSync(join(top, "a.txt"), "a\n");
    expect(gitSettings(top, [top]).obeysWhenRead).toBe(true);
    git("status");
    expect(existsSync(join(top, "ran"))).toBe(true);
    git("config", "core.hooksPath", "elsewhere");
    expect(gitSettings(top, [top]).obeysWhenRead).toBe(true);
  });
});

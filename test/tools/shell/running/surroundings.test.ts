import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { wrongEnvName } from "../../../../src/core/env-names.ts";
import { childPath, passedNames, surroundingsOf } from "../../../../src/tools/shell/running/surroundings.ts";
import { tempTree } from "../../temp-tree.ts";

const none = { shellEnv: [], shellPath: [] };

describe("of the person's variables a command gets", () => {
  const env = {
    HOME: "/home/u",
    LANG: "en_US.UTF-8",
    LC_ALL: "C",
    PATH: "/bin",
    OPENAI_API_KEY: "sk-1",
    AWS_SECRET_ACCESS_KEY: "x",
    GH_TOKEN: "t",
    BASH_ENV: "/tmp/evil",
    ENV: "/tmp/evil",
    "BASH_FUNC_ls%%": "() { evil; }",
    LD_PRELOAD: "/tmp/evil.so",
    NODE_OPTIONS: "--require /tmp/evil.js",
    GIT_SSH_COMMAND: "evil",
    SSH_AUTH_SOCK: "/run/agent",
    HTTPS_PROXY: "http://proxy:3128",
    HTTP_PROXY: "http://me:secret@proxy:3128",
    MY_FLAG: "1",
  };

  test("who and where they are, and no secret; nothing that has bash or a program run something else", () => {
    expect(passedNames({ env, ...none }, false)).toEqual(["HOME", "LANG", "LC_ALL"]);
  });

  // `echo "你\\"; ./x #"`: to a bash that reads GBK the last byte of the sign and the backslash are one.
  test.each([
    "zh_CN.GBK",
    "zh_CN.gb18030",
    "ja_JP.SJIS",
    "zh_TW.BIG5",
    "zh_TW",
    "ja_JP.eucJP",
    "de_DE",
    "UTF-8.GBK",
    "../x.UTF-8",
  ])("no language in whose charset bash may read a line otherwise than it was judged, not even named: %s", (value) => {
    for (const name of ["LANG", "LC_ALL", "LC_CTYPE"])
      expect(passedNames({ env: { [name]: value }, shellEnv: [name] }, false)).toEqual([]);
  });

  test.each(["C", "POSIX", "C.UTF-8", "C.utf8", "de_DE.UTF-8", "sr_RS.UTF-8@latin", "es_419.UTF-8", "UTF-8", ""])(
    "a language that is read as here: %s",
    (value) => expect(passedNames({ env: { LANG: value, LC_ALL: value }, ...none }, false)).toEqual(["LANG", "LC_ALL"]),
  );

  test("what they name in shellEnv, and with the network its proxies, but for one with a password", () => {
    const shellEnv = ["MY_FLAG", "GH_TOKEN"];
    expect(passedNames({ env, shellEnv }, true)).toEqual([
      "GH_TOKEN",
      "HOME",
      "HTTPS_PROXY",
      "LANG",
      "LC_ALL",
      "MY_FLAG",
    ]);
  });

  test.each([
    ...["BASH_ENV", "ENV", "SHELLOPTS", "BASH_FUNC_ls%%", "PATH", "HOLDFAST_CHILD", "AGENT", "A B", ""],
    ...["GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_EXEC_PATH"],
    ...["GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_ICASE_PATHSPECS", "GIT_INTERNAL_SUPER_PREFIX", "GIT_NAMESPACE"],
  ])("%s never, not even named", (name) => {
    expect(wrongEnvName(name)).toEqual(expect.any(String));
    expect(passedNames({ env: { [name]: "x" }, shellEnv: [name] }, true)).toEqual([]);
  });

  test("who they are to git, and how it connects", () => {
    const shellEnv = ["GIT_AUTHOR_NAME", "GIT_INTERNAL_TOKEN", "GIT_SSH_COMMAND", "GITHUB_TOKEN"];
    const given = Object.fromEntries(shellEnv.map((name) => [name, "x"]));
    expect(passedNames({ env: given, shellEnv }, false)).toEqual([
      "GITHUB_TOKEN",
      "GIT_AUTHOR_NAME",
      "GIT_INTERNAL_TOKEN",
      "GIT_SSH_COMMAND",
    ]);
  });

  test("and it is told who started it, and that nobody sits there", () => {
    const { env: made } = surroundingsOf({ env, ...none, scratch: "/var/us" }, ["/ws"], {
      network: false,
      sandbox: true,
    });
    expect(made).toMatchObject({
      AGENT: "holdfast",
      PAGER: "cat",
      GIT_PAGER: "cat",
      GIT_EDITOR: "true",
      GIT_TERMINAL_PROMPT: "0",
      TMPDIR: "/var/us/tmp",
      XDG_CACHE_HOME: "/var/us/cache",
      npm_config_cache: "/var/us/cache/npm",
    });
    expect(made).not.toHaveProperty("CI");
  });
});

describe("the PATH of a command", () => {
  test("has no entry that is relative or lies in the workspace, by its name or by where it leads", () => {
    const workspace = tempTree();
    const outside = tempTree();
    mkdirSync(join(workspace, "bin"));
    symlinkSync(join(workspace, "bin"), join(outside, "link"));
    const entries = [
      "/usr/bin",
      ".",
      "",
      "bin",
      join(workspace, "not-there"),
      join(outside, "link"),
      outside,
      "/usr/bin",
    ];
    expect(childPath({ env: { PATH: entries.join(":") }, shellPath: [] }, [workspace])).toEqual({
      path: `/usr/bin:${outside}`,
      dropped: [".", "bin", join(workspace, "not-there"), join(outside, "link")],
    });
  });

  test("holds nothing below a folder that the person added, for the model writes there too", () => {
    const [workspace, added, outside] = [tempTree(), tempTree(), tempTree()];
    const PATH = ["/bin", join(added, "bin"), added, join(workspace, "bin"), outside].join(":");
    expect(childPath({ env: { PATH }, shellPath: [] }, [workspace, added])).toEqual({
      path: `/bin:${outside}`,
      dropped: [join(added, "bin"), added, join(workspace, "bin")],
    });
  });

  test("begins with the folders that the person named, which may lie there", () => {
    const workspace = tempTree();
    const own = join(workspace, "bin");
    const { path, dropped } = childPath({ env: { PATH: `/bin:${own}` }, shellPath: [own, "relative"] }, [workspace]);
    expect({ path, dropped }).toEqual({ path: `${own}:/bin`, dropped: [] });
  });

  test("is the system's where nothing is left of it: an empty one would mean the folder it runs in", () => {
    expect(childPath({ env: { PATH: "bin:." }, shellPath: [] }, ["/ws"]).path).toBe("/usr/local/bin:/usr/bin:/bin");
    expect(childPath({ env: {}, shellPath: [] }, ["/ws"]).path).toBe("/usr/local/bin:/usr/bin:/bin");
  });
});

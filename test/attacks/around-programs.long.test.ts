import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sha256 } from "../../src/core/json.ts";
import { pinRoots } from "../../src/files/pinned-roots.ts";
import { prepareCall } from "../../src/graph/calls/prepare.ts";
import type { Rule } from "../../src/policy/types.ts";
import { createDefaultTools } from "../../src/tools/create-default-tools.ts";
import { createToolContext, resultOf } from "../../src/tools/use/run-tool.ts";
import { describeInSandbox, itAsRoot } from "../support/needs.ts";
import { tempTree } from "../tools/temp-tree.ts";

const secrets = [
  ".env",
  "sub/.env",
  "sub/deep/id_rsa",
  "lib/deep/.env",
  "bin/deep/.env",
  ".git/config",
  "lib/r/.git/HEAD",
];
const program = "#!/bin/sh\ncat $(dirname $0)/../lib/text\n";

function put(folder: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** A project whose folder `bin` holds a program, with what is not read unasked all around it. */
function aProject(folder: string, more: Record<string, string> = {}): string {
  const closed = Object.fromEntries(secrets.map((name) => [name, "SECRET\n"]));
  put(folder, {
    "bin/frob": program,
    "lib/text": "of the program\n",
    "src/main.c": "of the project\n",
    ...closed,
    ...more,
  });
  chmodSync(join(folder, "bin/frob"), 0o755);
  return folder;
}

const inProject = (project: string): string[] =>
  [...secrets, "src/main.c", "lib/other"].map((name) => join(project, name));

/** A folder that a sandbox would show if nothing were done: /tmp is one of its own. */
function folderIn(place: string): string {
  const folder = realpathSync(mkdtempSync(join(place, "holdfast-around-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface Stage {
  home?: string;
  path: string[];
  rules?: Rule[];
  workspace?: string;
  sandboxWrite?: string[];
}

/** What a line tells that runs without a question: one of readers, or one that runs what the session made. */
async function told(line: string, { home = tempTree(), path, rules = [], ...more }: Stage): Promise<string> {
  const workspace = more.workspace ?? tempTree({ "README.md": "x\n" });
  const env = { HOME: home, PATH: ["/usr/bin", "/bin", ...path].join(":") };
  const shell = { sandbox: "required" as const, scratch: tempTree(), env, sandboxWrite: more.sandboxWrite ?? [] };
  const tools = createDefaultTools({ workspace, shell });
  const tool = tools.find(({ name }) => name === "shell");
  if (tool === undefined) throw new Error("no shell");
  const pins = pinRoots(workspace);
  onTestFinished(async () => {
    for (const one of tools) await one.dispose?.();
    pins.close();
  });
  writeFileSync(join(workspace, "x.sh"), line);
  const made = (): ReadonlyMap<string, string> =>
    new Map([[join(realpathSync(workspace), "x.sh"), sha256(Buffer.from(line))]]);
  const ran: string[] = [];
  for (const command of [line, "bash x.sh"]) {
    const prepared = await prepareCall(
      tool,
      { command },
      { ...createToolContext({ workspace, pins, cwd: workspace, callId: "c1" }), made },
      { rules, grants: [], mode: "ask", sealed: { roots: [] }, autoSandbox: true },
    );
    if (prepared.kind !== "ready" || prepared.verdict.decision !== "allow")
      throw new Error(`${command} is not free: ${JSON.stringify(prepared)}`);
    const { output, error = "" } = resultOf(await prepared.run(AbortSignal.timeout(30_000)));
    ran.push(output, error);
  }
  return ran.join("\n");
}

/** Of these files what words of the line do not say, after the program was run. */
const reading = (files: readonly string[], run = "frob --version; "): string =>
  `${run}cat ${files.map((name) => `$(printf '%s' ${name})`).join(" ")}\n`;

const timesIn = (text: string, told: string): number => told.split(text).length - 1;

const deny: Rule = {
  tool: "read_file",
  paths: ["/**/lib/other"],
  decision: "deny",
  why: "",
  origin: { source: "user", file: "policy.json", line: 1 },
};

describeInSandbox("a folder of PATH that lies in a project (needs bubblewrap)", () => {
  test.each([
    ["outside of homes", () => ({ project: aProject(folderIn("/var/tmp")), home: tempTree() })],
    [
      "in the home",
      () => {
        const home = tempTree();
        return { project: aProject(join(home, "work/proj")), home };
      },
    ],
  ])(
    "%s: its programs run, and nothing is there that is not read unasked, nor other files of the project",
    async (_, made) => {
      const { project, home } = made();
      const output = await told(reading(inProject(project)), { home, path: [join(project, "bin")] });
      expect(timesIn("of the program", output)).toBe(2);
      expect(output).not.toContain("SECRET");
      expect(output).not.toContain("of the project");
    },
  );

  test("a reader of the system finds nothing of it at all", async () => {
    const home = tempTree();
    for (const project of [aProject(folderIn("/var/tmp")), aProject(join(home, "work/proj"))]) {
      const line = reading([...inProject(project), join(project, "lib/text")], "");
      const output = await told(line, { home, path: [join(project, "bin")] });
      // The other box is that of a script, which may start any program.
      expect(timesIn("of the program", output)).toBe(1);
      expect(output).not.toContain("SECRET");
    }
  });

  test("found by a link, by a step back, and by links in a folder of programs, it shows no more", async () => {
    const home = tempTree();
    const project = aProject(join(home, "work/proj"));
    const elsewhere = aProject(folderIn("/var/tmp"));
    put(home, { "own/x": "" });
    symlinkSync(project, join(home, "near"));
    symlinkSync(elsewhere, join(home, "far"));
    symlinkSync(join(project, "bin/frob"), join(home, "own/frob"));
    symlinkSync(join(project, "bin"), join(home, "sbin"));
    const paths = ["near/bin", "far/bin", "work/../work/proj/bin", "own", "sbin"];
    const places = [project, elsewhere, join(home, "near"), join(home, "far")].flatMap(inProject);
    for (const path of paths) {
      const output = await told(reading(places), { home, path: [join(home, path)] });
      expect([path, output.includes("SECRET"), output.includes("of the project")]).toEqual([path, false, false]);
      if (path !== "own" && path !== "sbin") expect([path, timesIn("of the program", output)]).toEqual([path, 2]);
    }
  });

  test("in several folders of PATH, the one around the other, it shows no more", async () => {
    const home = tempTree();
    for (const project of [aProject(folderIn("/var/tmp")), aProject(join(home, "work/proj"))]) {
      put(project, { "sub/bin/x": "", "lib/bin/x": "", "lib/deep/bin/x": "" });
      const all = ["lib/deep/bin", "bin", "lib/bin", "sub/bin", "lib/deep/bin"].map((name) => join(project, name));
      for (const path of [all, all.toReversed()]) {
        const output = await told(reading(inProject(project)), { home, path });
        expect(timesIn("of the program", output)).toBe(2);
        expect(output).not.toContain("SECRET");
      }
    }
  });

  test("another name of a closed file in it tells nothing, nor a file that a rule keeps from being read", async () => {
    const project = aProject(folderIn("/var/tmp"));
    linkSync(join(project, ".env"), join(project, "lib/twin"));
    put(project, { "lib/other": "SECRET of a rule\n" });
    symlinkSync("other", join(project, "lib/link"));
    const places = [...inProject(project), join(project, "lib/twin"), join(project, "lib/link")];
    const output = await told(reading(places), { path: [join(project, "bin")], rules: [deny] });
    expect(timesIn("of the program", output)).toBe(2);
    expect(output).not.toContain("SECRET");
  });

  test("deeper than is looked, only packages of others are there", async () => {
    const folder = folderIn("/var/tmp");
    const many = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`data/${at % 20}/${at}/a/b/c/d/e/f/g/h/x`, ""] as const),
    );
    put(folder, {
      ...many,
      "bin/frob": program,
      "lib/text": "of the program\n",
      "data/0/0/a/b/c/d/e/f/g/h/.env": "SECRET\n",
    });
    for (let at = 0; at < 6_000; at += 1) writeFileSync(join(folder, `data/1/f${at}`), "");
    put(folder, { "data/1/z/a/.env": "SECRET\n", "lib/node_modules/p/text": "of a package\n" });
    chmodSync(join(folder, "bin/frob"), 0o755);
    const places = ["data/0/0/a/b/c/d/e/f/g/h/.env", "data/1/z/a/.env", "lib/node_modules/p/text"];
    const output = await told(reading(places.map((name) => join(folder, name))), { path: [join(folder, "bin")] });
    expect(timesIn("of the program", output)).toBe(2);
    expect(timesIn("of a package", output)).toBe(2);
    expect(output).not.toContain("SECRET");
  });

  test("one that lies in another one shows no other name of what is closed in that", async () => {
    const home = tempTree();
    for (const project of [folderIn("/var/tmp"), join(home, "work/proj")]) {
      put(project, { "bin/frob": program, "lib/text": "of the program\n", "conf/.env": "SECRET\n" });
      put(project, { "sub/bin/x": "", "sub/lib/x": "" });
      chmodSync(join(project, "bin/frob"), 0o755);
      linkSync(join(project, "conf/.env"), join(project, "sub/lib/twin"));
      const path = [join(project, "bin"), join(project, "sub/bin")];
      const places = ["conf/.env", "sub/lib/twin"].map((name) => join(project, name));
      for (const one of [path, path.toReversed()]) {
        const output = await told(reading(places), { home, path: one });
        expect(timesIn("of the program", output)).toBe(2);
        expect(output).not.toContain("SECRET");
      }
    }
  });

  test("a name that is no text hides nothing that is not read unasked", async () => {
    const home = tempTree();
    for (const project of [folderIn("/var/tmp"), join(home, "work/proj")]) {
      put(project, { "bin/frob": program, "lib/text": "of the program\n", "share/a/x": "", "share/b/x": "fine\n" });
      chmodSync(join(project, "bin/frob"), 0o755);
      const names = ["share/a/\\377/.env", "share/a/k\\377.pem", "share/b/\\377/x"];
      const of = names.map((name) => `"$(printf '${join(project, name)}')"`);
      put(project, { "share/b/x": "fine\n" });
      execFileSync("bash", [
        "-c",
        `mkdir "$(printf '${project}/share/a/\\377')" "$(printf '${project}/share/b/\\377')"; ` +
          `for f in ${of.slice(0, 2).join(" ")}; do echo SECRET > "$f"; done; echo fine > ${of[2]}`,
      ]);
      onTestFinished(() => void execFileSync("rm", ["-r", join(project, "share")]));
      const output = await told(`frob --version; cat ${of.join(" ")}\n`, { home, path: [join(project, "bin")] });
      expect(timesIn("of the program", output)).toBe(2);
      expect(timesIn("fine", output)).toBe(2);
      expect(output).not.toContain("SECRET");
    }
  });

  test("one in a folder of version control is not there", async () => {
    const project = folderIn("/var/tmp");
    put(project, { ".hg/bin/frob": program, ".hg/lib/text": "of the program\n", ".hg/hgrc": "SECRET\n" });
    chmodSync(join(project, ".hg/bin/frob"), 0o755);
    expect(await told(reading([join(project, ".hg/hgrc")]), { path: [join(project, ".hg/bin")] })).not.toContain(
      "SECRET",
    );
  });

  test("nor is it shown by a link that a command could have made", async () => {
    const project = aProject(folderIn("/var/tmp"));
    const written = folderIn("/var/tmp");
    symlinkSync(project, join(written, "tools"));
    const stage = { path: [join(written, "tools/bin")], sandboxWrite: [written] };
    const output = await told(reading(["lib/text", ...secrets].map((name) => join(project, name))), stage);
    expect(output).not.toContain("of the program");
    expect(output).not.toContain("SECRET");
  });
});

/** Installs as they are found, each with a program `frob` that tells a text beside it, and the folders of PATH that it needs. */
const telling = (text: string): string => `#!/bin/sh\ncat "$(dirname "$(realpath "$0")")/${text}"\n`;
const installs: [string, Record<string, string>, string[]][] = [
  ["a language", { "bin/frob": telling("../conf/text"), "conf/text": "of the program\n", "jmods/a": "" }, ["bin"]],
  [
    "a clone of versions",
    {
      ".git/HEAD": "",
      "shims/frob": '#!/usr/bin/env sh\nexec "$(dirname "$0")/../libexec/run"\n',
      "libexec/run": '#!/bin/sh\nexec "$(dirname "$0")/../versions/3.1/bin/frob"\n',
      "versions/3.1/bin/frob": telling("../lib/python3.1/text"),
      "versions/3.1/lib/python3.1/text": "of the program\n",
    },
    ["shims"],
  ],
  [
    "a cellar",
    {
      ".git/HEAD": "",
      "bin/frob": "link:../Cellar/frob/1.0/bin/frob",
      "Cellar/frob/1.0/bin/frob": telling("../share/text"),
      "Cellar/frob/1.0/share/text": "of the program\n",
    },
    ["bin"],
  ],
  [
    "a folder of its own name",
    { "tool-1/frob": telling("lib/text"), "tool-1/lib/text": "of the program\n" },
    ["tool-1"],
  ],
  [
    "two, of which one starts the other",
    {
      "one/bin/frob": "#!/bin/sh\nexec other\n",
      "two/bin/other": telling("../lib/text"),
      "two/lib/text": "of the program\n",
    },
    ["one/bin", "two/bin"],
  ],
  [
    "links to where it lies",
    {
      "links/frob": "link:../share/app/bin/frob",
      "share/app/bin/frob": telling("../data/text"),
      "share/app/data/text": "of the program\n",
    },
    ["links", "share/app/bin"],
  ],
];

describeInSandbox("what is installed in a folder of PATH (needs bubblewrap)", () => {
  test.each(installs)("%s runs, in a home and elsewhere", async (_, files, path) => {
    const home = tempTree();
    for (const folder of [folderIn("/var/tmp"), join(home, "tools")]) {
      for (const [name, text] of Object.entries(files)) {
        if (text.startsWith("link:")) {
          mkdirSync(dirname(join(folder, name)), { recursive: true });
          symlinkSync(text.slice("link:".length), join(folder, name));
        } else put(folder, { [name]: text });
      }
      for (const [name, text] of Object.entries(files)) if (text.startsWith("#!")) chmodSync(join(folder, name), 0o755);
      const output = await told("frob --version\n", { home, path: path.map((name) => join(folder, name)) });
      expect(timesIn("of the program", output)).toBe(2);
    }
  });
});

describeInSandbox("what else of a home is there for tool chains (needs bubblewrap)", () => {
  test("holds nothing that is not read unasked: projects in the person's own folder of programs, the repository around the workspace", async () => {
    const home = folderIn("/var/tmp");
    put(home, {
      "bin/p/.env": "SECRET\n",
      "repo/.git/HEAD": "ref: refs/heads/main\n",
      "repo/other/deep/.env": "SECRET\n",
    });
    put(home, { "repo/other/a.txt": "of the project\n", "repo/pkg/a.txt": "x\n" });
    const places = ["bin/p/.env", "repo/other/deep/.env", "repo/other/a.txt"].map((name) => join(home, name));
    put(home, { "bin/frob": "#!/bin/sh\necho of the program\n" });
    chmodSync(join(home, "bin/frob"), 0o755);
    const stage = { home, path: [join(home, "bin")], workspace: join(home, "repo/pkg") };
    const output = `${await told(reading(places, ""), { ...stage, path: [] })}${await told(reading(places), stage)}`;
    expect(timesIn("of the program", output)).toBe(2);
    expect(output).not.toContain("SECRET");
    expect(output).not.toContain("of the project");
  });
});

describeInSandbox("a name in the workspace that is no text (needs bubblewrap)", () => {
  test("hides nothing that is not read unasked from a line that goes through folders: it is not run; with nothing such, it is", async () => {
    const workspace = folderIn("/var/tmp");
    const made = (name: string): void => {
      execFileSync(
        "bash",
        ["-c", `mkdir -p "$(printf 'sub/\\377')" && echo SECRET > "$(printf 'sub/\\377/${name}')"`],
        {
          cwd: workspace,
        },
      );
    };
    onTestFinished(() => void execFileSync("rm", ["-r", join(workspace, "sub")]));
    made("a.txt");
    expect(await told("grep -rh ECRE .", { path: [], workspace })).toContain("SECRET");
    made(".env");
    for (const line of ["grep -rh ECRE .", "cat $(printf 'sub/\\377/.env')"]) {
      const output = await told(line, { path: [], workspace });
      expect(output).not.toContain("SECRET");
      expect(output).toContain("is no text");
    }
  });
});

describeInSandbox("the top of the disk (needs bubblewrap)", () => {
  itAsRoot("shows folders of the system alone, not each whose name begins as one of theirs (needs root)", async () => {
    const folder = mkdtempSync("/libs");
    onTestFinished(() => rmSync(folder, { recursive: true }));
    put(folder, { ".env": "SECRET\n" });
    expect(await told(reading([join(folder, ".env")], ""), { path: [] })).not.toContain("SECRET");
  });
});

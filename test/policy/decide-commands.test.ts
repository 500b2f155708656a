import { expect, test } from "vitest";
import type { PathFact } from "../../src/core/path-fact.ts";
import { decide } from "../../src/policy/decide.ts";
import type { CallFacts } from "../../src/policy/types.ts";
import { bareFacts, commandsOf, emptyPolicy, inMode, onPath, policyWith, rule, running, ws } from "./support/build.ts";

const file = "/home/x/.config/holdfast/policy.json";
const denied = policyWith({
  rules: [rule("deny", { tool: "shell", command: "rm *", why: "nothing is removed here" })],
});

/** The line's commands, each with this noted of it. */
const noted = (line: string, more: Partial<CallFacts["commands"][number]>): CallFacts =>
  bareFacts("shell", "once", { commands: commandsOf(line).map((command) => ({ ...command, ...more })) });

test("a line that cannot be judged as a whole is denied, before any rule", () => {
  const policy = policyWith({ rules: [rule("allow", { tool: "shell", command: "ls" })] });
  expect(decide(noted("ls", { refused: "it is too long to be judged" }), policy)).toMatchObject({
    decision: "deny",
    risk: "high",
    rule: { source: "table" },
    why: "it is too long to be judged",
  });
});

test("a command that may turn out to be what is denied is asked about, and says of which rule", () => {
  const why = `matches rule 'rm *' of ${file} line 4: nothing is removed here`;
  expect(decide(running("rm a"), denied)).toMatchObject({ decision: "deny", why });
  expect(decide(running("$WHAT a"), denied)).toMatchObject({
    decision: "ask",
    rule: { source: "user", file, line: 4 },
    why: `it could turn out to be what is denied: ${why}`,
  });
  expect(decide(running("ls a"), denied)).toMatchObject({ decision: "allow" });
});

test("a deny or an ask that names a file means it by every spelling of its path, an allow by its own alone", () => {
  const decided = (decision: "deny" | "ask" | "allow", line: string): string => {
    const policy = policyWith({ rules: [rule(decision, { tool: "shell", command: "sort docs/d.md", why: "mine" })] });
    return decide(running(line), policy).rule.source;
  };
  const spellings = [
    "sort docs/d.md",
    "sort ./docs/d.md",
    "sort docs//d.md",
    "sort docs/./d.md",
    "sort docs/../docs/d.md",
    "sort DOCS/d.md",
    `sort ${ws}/docs/d.md`,
    "cd docs && sort d.md",
  ];
  for (const line of spellings) expect([line, decided("deny", line)]).toEqual([line, "user"]);
  for (const line of spellings) expect([line, decided("ask", line)]).toEqual([line, "user"]);
  for (const line of spellings.slice(1)) expect([line, decided("allow", line)]).not.toEqual([line, "user"]);
  for (const line of ["sort docs/e.md", "sort d.md", "sort other/docs/d.md"])
    expect([line, decided("deny", line)]).not.toEqual([line, "user"]);
});

test("a deny or an ask that names an option means it by its other names, an allow by its own alone", () => {
  const decided = (decision: "deny" | "ask" | "allow", command: string, line: string): string =>
    decide(running(line), policyWith({ rules: [rule(decision, { tool: "shell", command, why: "mine" })] })).rule.source;
  const spellings: [string, string][] = [
    ["grep -r *", "grep --recursive x ."],
    ["grep --recursive *", "grep -nr x ."],
    ["grep -r *", "grep --recurs -n x ."],
    ["grep *", "egrep x a.txt"],
    ["grep *", "/usr/bin/fgrep x a.txt"],
    ["rm -rf *", "rm --force -R docs"],
    ["rm --recursive *", "rm -fr docs"],
    ["git push --force *", "git push -f origin main"],
    ["git branch -d *", "git branch --delete main"],
    ["sed --in-place *", "sed -i s/a/b/ a.txt"],
    ["curl -o *", "curl --output=a.txt https://example.com"],
    ["chmod -R 777 docs", "chmod --recursive 777 docs"],
    ["egrep *", "grep -E x a.txt"],
    ["grep -F *", "fgrep x a.txt"],
    ["sed --in-place *", "sed -i.bak s/a/b/ a.txt"],
    ["sed --in-place *", "sed -ni.bak p a.txt"],
    ["curl --data *", "curl -d@a.txt https://example.com"],
    ["wget --output-document *", "wget -qO- https://example.com"],
    ["grep --max-count *", "grep -m5 x a.txt"],
    ["grep --recursive *", "GREP -nr x ."],
    ["Grep -E *", "/usr/bin/EGREP x a.txt"],
    ["git branch -d *", "GIT branch --delete main"],
  ];
  for (const [command, line] of spellings) {
    expect([line, decided("deny", command, line)]).toEqual([line, "user"]);
    expect([line, decided("ask", command, line)]).toEqual([line, "user"]);
    expect([line, decided("allow", command, line)]).not.toEqual([line, "user"]);
  }
  const others: [string, string][] = [
    ["grep -r *", "grep -n x a.txt"],
    ["grep -r *", "grep x -- --recursive"],
    ["rm -f *", "rm -i a.txt"],
    ["git push --force *", "git push --force-with-lease"],
    ["egrep *", "sort a.txt"],
    ["egrep *", "grep x a.txt"],
    ["fgrep *", "grep -E x a.txt"],
    ["sed -i.bak *", "sed -i s/a/b/ a.txt"],
  ];
  for (const [command, line] of others) expect([line, decided("deny", command, line)]).not.toEqual([line, "user"]);
});

test("a deny or an ask that names an option's value means it however it is joined to it, an allow by its own words alone", () => {
  const decided = (decision: "deny" | "ask" | "allow", command: string, line: string): string => {
    const rules = [rule(decision, { tool: "shell", command, why: "mine" })];
    const judged = decide({ ...running(line), sandbox: true }, policyWith({ rules }));
    return judged.rule.source === "user" ? judged.decision : judged.rule.source;
  };
  const spellings: [string, string][] = [
    ["curl -X POST *", "curl -XPOST https://example.com"],
    ["curl -X POST *", "curl -sXPOST https://example.com"],
    ["curl -X POST *", "curl -sX POST https://example.com"],
    ["curl -X POST *", "curl --request=POST https://example.com"],
    ["curl -X POST *", "curl --request POST https://example.com"],
    ["curl -X POST *", "curl --reques POST https://example.com"],
    ["curl -X POST *", "curl https://example.com -XPOST"],
    ["curl -X POST *", "/usr/bin/curl https://example.com -o a.txt --request POST"],
    ["curl -XPOST *", "curl -X POST https://example.com"],
    ["curl --request=POST *", "curl -XPOST https://example.com"],
    ["curl --request POST *", "curl -s -XPOST https://example.com"],
    ["curl -o docs/a.txt *", "curl -o./docs/a.txt https://example.com"],
    ["wget -O a.txt *", "wget -qOa.txt https://example.com"],
    ["mkdir -m 777 *", "mkdir --mode=777 docs/new"],
    ["curl -X POST *", "CURL -sXPOST https://example.com"],
    ["CURL --request POST *", "curl -XPOST https://example.com"],
    ["git push", "GIT -C sub push"],
    ["git push -o ci.skip *", "Git -C sub push --push-option=ci.skip origin main"],
    ["mkdir --mode 777 *", "mkdir -pm777 docs/new"],
    ["git -C sub push", "git -C sub push"],
    ["git commit -m wip", "git commit -mwip"],
    ["git commit -m wip *", "git -c a.b=c commit --message=wip --no-verify"],
    ["git push -o ci.skip *", "git push --push-option=ci.skip origin main"],
    ["git clone -b main *", "git clone --branch=main https://example.com/a"],
    ["ssh -p 22 *", "ssh -p22 host"],
    ["ssh -o StrictHostKeyChecking=no *", "ssh -oStrictHostKeyChecking=no host"],
    ["tar -C / *", "tar -xf a.tar -C/"],
    ["tar -C / *", "tar -x --directory=/ -f a.tar"],
    ["docker run -v /:/host *", "docker run --rm -v/:/host image"],
    ["docker run -v /:/host *", "docker run --volume=/:/host image"],
    ["docker run --net host *", "docker run -it --network=host image"],
    ["docker -H tcp://a *", "docker -Htcp://a ps"],
    ["kubectl -n prod *", "kubectl get pods --namespace=prod"],
    ["kubectl -n prod *", "kubectl -nprod delete pod x"],
    ["kubectl delete -n prod *", "kubectl delete pod x -nprod"],
    ["gh api -X DELETE *", "gh api repos/a/b --method=DELETE"],
    ["python3 -m pip *", "python3 -mpip install x"],
    ["frob --level high *", "frob --level=high a"],
    ["frob --level=high *", "frob --level high a"],
  ];
  for (const [command, line] of spellings) {
    expect([command, line, decided("deny", command, line)]).toEqual([command, line, "deny"]);
    expect([command, line, decided("ask", command, line)]).toEqual([command, line, "ask"]);
    if (command !== line)
      expect([command, line, decided("allow", command, line)]).not.toEqual([command, line, "allow"]);
  }
  const others: [string, string][] = [
    ["curl -X POST *", "curl -XGET https://example.com"],
    ["curl -X POST *", "curl --request GET https://example.com"],
    ["curl -X POST *", "curl -oPOST https://example.com"],
    ["curl -X POST *", "curl https://example.com -d POST"],
    ["git commit -C main *", "git -Cmain commit -m a"],
    ["kubectl -n prod *", "kubectl get pods -n test"],
    ["kubectl -n prod *", "kubectl exec pod -- head -nprod"],
    ["tar -C / *", "tar -czf a.tar docs"],
    ["docker run -v /:/host *", "docker run -v ./a:/host image"],
    ["frob --level high *", "frob --level=low a"],
    ["frob -l high *", "frob -lhigh a"],
  ];
  for (const [command, line] of others)
    expect([command, line, decided("deny", command, line)]).not.toEqual([command, line, "deny"]);
  for (const line of ['ssh -p "$p" host', 'ssh host -p "$p"', "ssh host -p$p"])
    expect([line, decided("deny", "ssh -p 22 *", line)]).toEqual([line, "ask"]);
});

test("of a command that is not understood is told what is known of it", () => {
  const told = (more: Parameters<typeof noted>[1], line = "make x"): string => {
    const { decision, risk, rule: found, why } = decide(noted(line, { understood: false, ...more }), emptyPolicy);
    return `${decision} ${risk} ${found.source}: ${why}`;
  };
  const head = "it is not known what would run:";
  expect(told({ why: "its name is made when it runs" })).toBe(
    `ask medium table: ${head} its name is made when it runs`,
  );
  expect(told({})).toBe(`ask medium table: ${head} the command is not understood`);
  expect(told({ why: "its name is made when it runs" }, "sudo ls")).toBe(
    `ask high table: sudo ls: ${head} it runs with another person's rights`,
  );
});

test("a folder that holds what is sealed is not written to as a whole; it is read, and files in it are written", () => {
  const judged = (more: Partial<PathFact>): string => {
    const path: PathFact = { asked: "/home/x", real: "/home/x", access: "write", ...more };
    const { decision, rule: found, why } = decide(bareFacts("sweep", "once", { paths: [path] }), emptyPolicy);
    return `${decision} ${found.source}: ${why}`;
  };
  expect(judged({ deep: true })).toBe("deny sealed: /home/x is sealed: it holds places that are sealed");
  expect(judged({ deep: true, access: "read" })).toMatch(/^ask table: /);
  expect(judged({})).toMatch(/^ask table: /);
});

test("that a write changes nothing, and that an edit is in an added folder, is said", () => {
  const { why } = decide({ ...onPath("write_file", "a"), changesNothing: true }, emptyPolicy);
  expect(why).toBe("it changes nothing: what it would write is there already");
  const edit = { ...onPath("edit_file", "/notes/a"), addDirs: ["/notes"] };
  expect(decide(edit, inMode("accept-edits"))).toMatchObject({
    decision: "allow",
    rule: { source: "mode" },
    why: "the mode accepts edits of files in the workspace and in added folders",
  });
  const inWorkspace = decide(onPath("edit_file", `${ws}/a`), inMode("accept-edits"));
  expect(inWorkspace.why).toBe("the mode accepts edits of files in the workspace");
});

test("a command that speaks to a keyring is asked about whatever allows it, and never given what this program keeps there", () => {
  const policy = policyWith({
    mode: "full-auto",
    isSandboxOff: true,
    rules: [rule("allow", { tool: "shell", command: "secret-tool *" })],
  });
  const judged = (line: string): string => {
    const { decision, risk, rule: found } = decide({ ...running(line), sandbox: false }, policy);
    return `${decision} ${risk} ${found.source}`;
  };
  expect(judged("make x")).toBe("allow medium mode");
  for (const line of ["secret-tool lookup name x | rev", "bash -c 'secret-tool lookup name x'", "env pass show x"])
    expect(judged(line)).toBe("ask high guarded");
  for (const line of [
    "secret-tool lookup application holdfast place /x name TOKEN | rev",
    "bash -c 'timeout 1 secret-tool search --all application holdfast'",
    "security find-generic-password -a TOKEN -s 'holdfast /x' -w",
    "security delete-generic-password -s 'holdfast /x'",
    "security find-generic-password '-sholdfast /x' -w",
    "busctl --user call org.freedesktop.secrets /org/freedesktop/secrets x SearchItems 'a{ss}' 1 application holdfast",
  ])
    expect(judged(line)).toBe("deny high sealed");
  for (const line of [
    "git -C ~/src/holdfast credential fill",
    "pass show holdfast/token",
    "gh auth status --show-token --hostname holdfast.example",
    "security find-generic-password -s x ~/src/holdfast/its.keychain",
    "secret-tool store --label=holdfast service x",
  ])
    expect(judged(line)).toBe("ask high guarded");
});

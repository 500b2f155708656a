import { describe, expect, it } from "vitest";
import { coversCommand, parseCommandPattern, touchesCommand } from "../../src/policy/command-pattern.ts";

function read(pattern: string) {
  const parsed = parseCommandPattern(pattern);
  if ("wrong" in parsed) throw new Error(parsed.wrong);
  return parsed;
}

describe("an allowed command", () => {
  it.each([
    ["npm test *", "npm test", true],
    ["npm test *", "npm  test\t-- a", true],
    ["npm test *", 'npm test "a b"', true],
    ["npm test", "npm test", true],
    ["npm test", "npm test a", false],
    ["npm test *", "npm testing", false],
    ["npm test *", "npm run test", false],
    ["npm test *", "CI=1 npm test", false],
    ["npm test *", '"npm" test', false],
    ["npm test *", "npm test; rm x", false],
    ["npm test *", "npm test && rm x", false],
    ["npm test *", "npm test | sh", false],
    ["npm test *", "npm test &", false],
    ["npm test *", "npm test > x", false],
    ["npm test *", "npm test < x", false],
    ["npm test *", "npm test $(rm x)", false],
    ["npm test *", "npm test $HOME", false],
    ["npm test *", "npm test `rm x`", false],
    ["npm test *", "npm test\nrm x", false],
    ["npm test *", "npm test\rrm x", false],
    ["npm test *", "npm test \u0000", false],
    ["npm test *", "(npm test)", false],
    ["npm test *", "", false],
  ])("%s over %j: %s", (pattern, command, expected) => {
    expect(coversCommand(read(pattern), command)).toBe(expected);
  });
});

describe("a denied command", () => {
  it.each([
    ["rm *", "rm -rf x", true],
    ["rm *", "ls; rm x", true],
    ["rm *", "ls && rm x", true],
    ["rm *", "echo $(rm x)", true],
    ["rm *", "echo `rm x`", true],
    ["rm *", "ls\nrm x", true],
    ["rm *", "/bin/rm x", true],
    ["rm *", "'rm' x", true],
    ["rm *", "r\\m x", true],
    ["rm *", "A=1 rm x", true],
    ["rm *", "sudo -u root rm x", true],
    ["rm *", "find . | xargs -0 rm", true],
    ["rm *", "if true; then rm x; fi", true],
    ["rm *", "echo rm x", false],
    ["rm *", "git rm x", false],
    ["rm *", "rmdir x", false],
    ["git push", "git push origin", false],
  ])("%s in %j: %s", (pattern, command, expected) => {
    expect(touchesCommand(read(pattern), command)).toBe(expected);
  });
});

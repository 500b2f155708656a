import { describe, expect, it } from "vitest";
import { diffOf } from "../../../src/files/diff/diff.ts";

/** The sections of the hunks of a change of each `X` in the text. */
const sections = (text: string, name = "a.ts"): (string | undefined)[] =>
  diffOf(text, text.replaceAll("X", "Y"), name).hunks.map(({ section }) => section);

const filler = (indent: string, count = 8): string =>
  Array.from({ length: count }, (_, at) => `${indent}step${at};\n`).join("");

describe("a hunk stands in", () => {
  it("the function or method that encloses it", () => {
    const text = [
      "export async function send(\n  url: string,\n): Promise<void> {\n",
      filler("  "),
      "  if (a) {\n",
      filler("    "),
      "    X\n  }\n}\n\nclass Line {\n  async read(at: number): Promise<string> {\n",
      filler("    "),
      "    X\n  }\n}\nconst write = async (text) => {\n",
      filler("  "),
      "  X\n};\n",
    ].join("");
    expect(sections(text)).toEqual([
      "export async function send(",
      "async read(at: number): Promise<string> {",
      "const write = async (text) => {",
    ]);
  });
  it.each([
    ["a.py", "class A:\n    def run(self, x):\n# aside\n", "        "],
    ["a.go", "func (s *S) run(x int) error {\n", "\t"],
    ["a.rs", "pub(crate) fn run<T>(x: T) -> T {\n", "    "],
    ["a.c", "static int run(struct s *x) {\n", "    "],
    ["a.java", "class A {\n  public static void run(String[] x) throws E {\n", "    "],
  ])("one of %s", (name, head, indent) => {
    const [section] = sections(`${head}${filler(indent)}${indent}X\n`, name);
    expect(section).toBe(
      head
        .split("\n")
        .findLast((line) => line.includes("run"))
        ?.trim(),
    );
  });
  it("the chapter of a text, the table of settings", () => {
    expect(sections(`# One\n\n## Two\n${filler("")}X\n`, "README.md")).toEqual(["## Two"]);
    expect(sections(`[a]\n[b.c]\n${filler("")}X\n`, "Cargo.toml")).toEqual(["[b.c]"]);
  });
  it("nothing, where the function above has ended or begins in the hunk", () => {
    const ended = `function a() {\n${filler("  ")}}\n`;
    expect(sections(`${ended}${filler("")}X\n`)).toEqual([undefined]);
    expect(sections(`${ended}function b() {\n  X\n`)).toEqual([undefined]);
    expect(sections(`${ended}\nX\n`)).toEqual([undefined]);
    expect(diffOf(ended, `${ended}\n`, "a.ts").hunks.map(({ section }) => section)).toEqual([undefined]);
  });
});

describe("a section", () => {
  it("is cut, and one of a line without end is not looked for", () => {
    const long = (size: number) => `function ${"a".repeat(size)}() {\n${filler("  ")}  X\n`;
    expect(sections(long(150))[0]).toHaveLength(120);
    expect(sections(long(1000))).toEqual([undefined]);
  });
  it("is found at once in a change of many hunks", () => {
    const one = `  a(${"b,".repeat(80)}\n`.repeat(20);
    expect(sections(`function all() {\n${`${one}  X\n`.repeat(400)}`)).toHaveLength(400);
  });
});

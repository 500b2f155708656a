import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ToolResult } from "../../../src/core/tool.ts";
import { createReadFileTool } from "../../../src/tools/files/read-file.ts";
import { contextOf, refusalOf, run, tempFolder } from "../../files/fixtures.ts";
import { makePdf } from "../../support/pdf.ts";

const read = createReadFileTool();

async function folderWith(name: string, content: string | Uint8Array): Promise<string> {
  const ws = await tempFolder();
  await writeFile(join(ws, name), content);
  return ws;
}

const shown = async (name: string, content: string | Uint8Array, part: object = {}): Promise<ToolResult> =>
  run(read, { file_path: name, ...part }, contextOf(await folderWith(name, content)));

const pages = (count: number): Buffer => makePdf(Array.from({ length: count }, (_, index) => `text of ${index + 1}`));

describe("a PDF", () => {
  test("is read as the text of its pages", async () => {
    expect(await shown("a.pdf", pages(2))).toEqual({
      output: "PDF, 2 pages\n\n## Page 1\n\ntext of 1\n\n## Page 2\n\ntext of 2",
      title: "read a.pdf (pages 1-2 of 2)",
      metadata: { path: expect.stringMatching(/a\.pdf$/), pages: 2, total: 2, sha: expect.any(String) },
    });
  });

  test("of many pages is read in parts: by itself twenty, else those that are asked for", async () => {
    const ws = await folderWith("a.pdf", pages(45));
    const at = async (part: object) => (await run(read, { file_path: "a.pdf", ...part }, contextOf(ws))).output;
    expect(await at({})).toMatch(/text of 20\n\n\(pages 1-20 of 45; go on with offset=21\)$/);
    expect(await at({ offset: 7, limit: 2 })).toBe(
      "PDF, 45 pages\n\n## Page 7\n\ntext of 7\n\n## Page 8\n\ntext of 8\n\n(pages 7-8 of 45; go on with offset=9)",
    );
    expect(await at({ offset: 45 })).toBe("PDF, 45 pages\n\n## Page 45\n\ntext of 45\n\n(pages 45-45 of 45)");
    expect(await refusalOf(at({ offset: 46 }))).toEqual({
      code: "INVALID_ARGUMENT",
      message: "a.pdf has 45 pages: offset=46 is past its end",
    });
  });

  test("says of itself that it has a hundred thousand pages: those are not all read", async () => {
    const lies = Buffer.from(pages(1).toString("latin1").replace("/Count 1 ", "/Count 100000 "), "latin1");
    expect((await shown("a.pdf", lies)).output).toContain("text of 1");
    expect(await refusalOf(shown("a.pdf", lies, { limit: 100 * 100 }))).toEqual({
      code: "INVALID_ARGUMENT",
      message: "of a.pdf at most 200 pages are read at once: set limit",
    });
  });

  test("that cannot be read says why", async () => {
    const locked = pages(1)
      .toString("latin1")
      .replace(
        "/Root 1 0 R",
        `/Root 1 0 R /ID [<00><00>] /Encrypt << /Filter /Standard /V 1 /R 2 /O <${"00".repeat(32)}> /U <${"11".repeat(32)}> /P -4 >>`,
      );
    for (const [content, message] of [
      [locked, "the PDF needs a password"],
      ["%PDF-1.4\nnothing of it", expect.stringMatching(/^the PDF cannot be read: /)],
    ] as const) {
      expect(await refusalOf(shown("a.pdf", Buffer.from(content, "latin1")))).toEqual({ code: "BINARY", message });
    }
  });

  test("that is a scan is told to be", async () => {
    expect((await shown("a.pdf", makePdf(["", ""]))).output).toBe("PDF of 2 pages without text: they are images");
  });

  test("runs no script", async () => {
    const hidden = makePdf(["seen"])
      .toString("latin1")
      .replace("/Type /Catalog", "/Type /Catalog /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>");
    expect((await shown("a.pdf", Buffer.from(hidden, "latin1"))).output).toBe("PDF, 1 page\n\n## Page 1\n\nseen");
  });

  test("whose one page is longer than a result is cut, and says so", async () => {
    const { output } = await shown("a.pdf", makePdf(["word) Tj 0 -0.001 Td (".repeat(14_000), "next"]));
    expect(Buffer.byteLength(output)).toBeLessThan(50_400);
    expect(output).toMatch(/\w\n\(this page is longer: it is cut here\)\n\n\(pages 1-1 of 2; go on with offset=2\)$/);
  });
});

const notebook = (cells: object[]): string =>
  JSON.stringify({ cells, metadata: { language_info: { name: "python" } }, nbformat: 4 });

describe("a notebook", () => {
  test("is read as its cells, with what they put out", async () => {
    const text = notebook([
      { cell_type: "markdown", source: ["# Title\n", "words"] },
      {
        cell_type: "code",
        execution_count: 3,
        source: "print(1)",
        outputs: [
          { output_type: "stream", text: ["1\n"] },
          { output_type: "display_data", data: { "text/plain": "<Figure>", "image/png": "aGk=" } },
          { output_type: "error", ename: "E", evalue: "bad", traceback: ["\u001b[0;31mE\u001b[0m: bad"] },
        ],
      },
    ]);
    const note = "Notebook, python, 2 cells; the file itself is JSON, which is what an edit changes";
    expect((await shown("a.ipynb", text)).output).toBe(
      `${note}\n\n## Cell 1 (markdown)\n\n# Title\nwords\n\n## Cell 2 (code, run 3)\n\nprint(1)\n\nOutput:\n1\n<Figure>\n[image/png, 4 characters]\nE: bad`,
    );
    expect((await shown("a.ipynb", text, { offset: 1, limit: 1 })).output).toBe(
      `${note}\n\n## Cell 1 (markdown)\n\n# Title\nwords\n\n(cells 1-1 of 2; go on with offset=2)`,
    );
  });

  test("keeps nothing that was meant for a terminal, and of a long output only its ends", async () => {
    const hostile = "\u001b]0;title\u0007\u001b[2J\u009b31mred\u001b]8;;http://evil.test\u001b\\link\u202e\u0000";
    const { output } = await shown(
      "a.ipynb",
      notebook([
        {
          cell_type: hostile,
          source: hostile,
          outputs: [{ output_type: "stream", text: `a${"x".repeat(10_000_000)}z` }],
        },
        "no cell",
        { cell_type: "code", source: { deep: [[[[]]]] }, outputs: "none" },
      ] as object[]),
    );
    expect(output).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/u);
    expect(output).toMatch(/## Cell 1 \(unknown\)\n\nredlink\n\nOutput:\nax+\n\[9996002 characters left out\]\nx+z\n/);
    expect(output.length).toBeLessThan(5_000);
  });

  test("that is none, or is too large to be one, is a text", async () => {
    expect((await shown("a.ipynb", "{ not JSON")).output).toBe("     1\t{ not JSON");
    const large = notebook([{ cell_type: "code", outputs: [{ output_type: "stream", text: "x".repeat(17_000_000) }] }]);
    expect((await shown("a.ipynb", large)).output).toMatch(/^ {5}1\t\{"cells".+\n\(cut to 2000 characters: line 1\)$/);
  });
});

import { expect, test } from "vitest";
import { createRecordReader, type RgRecord } from "../../../src/tools/search/rg-records.ts";

const match = (path: object, lines: object, line: number, submatches: object[] = []): string =>
  JSON.stringify({
    type: "match",
    data: { path, lines, line_number: line, absolute_offset: 40, submatches },
  });
const end = (text: string, offset: number | null): string =>
  JSON.stringify({ type: "end", data: { path: { text }, binary_offset: offset, stats: {} } });

function read(output: string, chunk: number): RgRecord[] {
  const records: RgRecord[] = [];
  const reader = createRecordReader((record) => records.push(record));
  const bytes = Buffer.from(output);
  for (let at = 0; at < bytes.length; at += chunk) reader.feed(bytes.subarray(at, at + chunk));
  return records;
}

const small = [
  JSON.stringify({ type: "begin", data: { path: { text: "./a" } } }),
  match({ text: "./a" }, { text: "föö\r\n" }, 3, [{ match: { text: "ö" }, start: 1, end: 3 }]),
  match({ bytes: Buffer.from([0x2e, 0x2f, 0xff]).toString("base64") }, { bytes: "/w==" }, 1),
  end("./a", 7),
  JSON.stringify({ type: "summary", data: {} }),
  "",
].join("\n");

test.each([1, 2, 7, 64, 100_000])("records are the same in chunks of %i bytes", (chunk) => {
  expect(read(small, chunk)).toEqual([
    { type: "line", path: "./a", hit: { line: 3, isMatch: true, offset: 40, start: 1 } },
    { type: "line", path: "./\ufffd", hit: { line: 1, isMatch: true, offset: 40, start: 0 } },
    { type: "end", path: "./a", isBinary: true },
    { type: "summary" },
  ]);
});

/** Its text holds what ends the text of a record, escaped as it must be. */
const trap = '"},"line_number":99,"absolute_offset":0,"submatches":[';

test.each([4_096, 65_536, 3_000_000])(
  "of a record of megabytes the beginning, line and match are kept (chunks of %i)",
  (chunk) => {
    const far = `${trap}${"é".repeat(1_000_000)}`;
    const submatch = { match: { text: 'the "find"' }, start: Buffer.byteLength(far), end: Buffer.byteLength(far) + 10 };
    const many = Array.from({ length: 1_000 }, () => submatch);
    const output = [
      match({ text: './q"uoted\\' }, { text: `${far}the "find"${far}\n` }, 12, many),
      match({ text: "./b" }, { text: `near ${far}` }, 5, [{ match: { text: "near" }, start: 0, end: 4 }]),
      end("./b", null),
      "",
    ].join("\n");
    const [first, second, third] = read(output, chunk);
    expect(first).toEqual({
      type: "line",
      path: './q"uoted\\',
      hit: { line: 12, isMatch: true, offset: 40, start: Buffer.byteLength(far) },
    });
    expect(second).toEqual({ type: "line", path: "./b", hit: { line: 5, isMatch: true, offset: 40, start: 0 } });
    expect(third).toEqual({ type: "end", path: "./b", isBinary: false });
  },
);

test("a large text that is no UTF-8 is known by where it stands", () => {
  const bytes = Buffer.alloc(2_000_000, 0xff).toString("base64");
  const output = `${match({ text: "./x" }, { bytes }, 1, [{ match: { text: "m" }, start: 9, end: 10 }])}\n`;
  const hit = { line: 1, isMatch: true, offset: 40, start: 9 };
  expect(read(output, 65_536)).toEqual([{ type: "line", path: "./x", hit }]);
});

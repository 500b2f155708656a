import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { fileAddress } from "../../../src/tools/mcp/file-address.ts";
import { namedFiles } from "../../../src/tools/mcp/named-files.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "named-")));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, ".env"), "KEY=1");
mkdirSync(join(folder, "src"));

const named = async (text: string) => {
  const { places, doubt } = await namedFiles({ text }, { folders: [folder], own: folder });
  return { finds: places.some(({ real }) => real === join(folder, ".env")), asks: doubt !== undefined };
};

describe("addresses of files in what a server is given", () => {
  it("are read as the file that they name, where only one can be meant", async () => {
    const address = pathToFileURL(join(folder, ".env")).href;
    for (const text of [
      address,
      address.replace("file://", "file://localhost"),
      address.replace("file", "FILE"),
      address.replace("file", "fi\tle"),
      ` \n${address}\r\n`,
      address.replace(".env", "%2Eenv"),
    ])
      expect([text, await named(text)]).toEqual([text, { finds: true, asks: false }]);
    expect(fileAddress("file:///src/a%20b.ts")).toEqual({ paths: ["/src/a b.ts", "/src/a%20b.ts"], isUnclear: false });
  });

  it("that can be read in several ways are asked about, and taken for each of these", async () => {
    const path = join(folder, ".env");
    for (const text of [
      "file:.env",
      "file://.env",
      "file://./.env",
      "fi\nle:.env",
      "file://x/.env",
      `file:${path}`,
      `file:/${path.slice(1)}`,
      `file://127.0.0.1${path}`,
      `file://x${path}`,
      `file://${path}?x`,
      `file://${path}#x`,
      `file://${folder}/src/../.env`,
      `file://${folder}/src/%2e%2e/.env`,
      `file://${folder}/src%2f..%2f.env`,
    ])
      expect([text, await named(text)]).toEqual([text, { finds: true, asks: true }]);
    for (const text of ["file://~/.ssh/id_rsa", "file:", "file:///x\\..\\y", "file:////x"])
      expect([text, (await named(text)).asks]).toEqual([text, true]);
  });

  it("are none where a blank stands behind the colon; a path that stands there is looked at", async () => {
    for (const text of ["File: src is where it is, and .env is not.", "file: a%20b", "FILE:  what?#x"])
      expect([text, await named(text)]).toEqual([text, { finds: false, asks: false }]);
    for (const text of ["File: .env", `file:  ${join(folder, ".env")}`, "File: %2Eenv", " file: .env\n"])
      expect([text, await named(text)]).toEqual([text, { finds: true, asks: false }]);
  });

  it("are none of other texts", async () => {
    for (const text of ["profile:.env", "note://file:", "a file: .env", "files:.env"])
      expect([text, fileAddress(text)]).toEqual([text, undefined]);
    expect(await named("note://.env")).toEqual({ finds: false, asks: false });
  });
});

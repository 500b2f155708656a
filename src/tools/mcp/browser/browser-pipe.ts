/*
 * Stands in a browser's place: `FILE PROGRAM [ARG ...]`. It starts that program and hands on what is said to it (descriptor 3) and by it (4), and before each thing that
 * it says is heard, FILE has the pages that the browser shows then.
 */
import { spawn } from "node:child_process";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { type Readable, Transform, type Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { OpenPages } from "./open-pages.ts";

const [file = "", program = "", ...args] = process.argv.slice(2);
const browser = spawn(program, args, { stdio: ["inherit", "inherit", "inherit", "pipe", "pipe"] });
const [said, heard] = [browser.stdio[3] as Writable, browser.stdio[4] as Readable];

const pages = new OpenPages();
const decoder = new StringDecoder("utf8");
let written = "";

function note(): void {
  const text = JSON.stringify(pages.pages);
  if (text === written) return;
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  written = text;
}

const noting = new Transform({
  transform(chunk: Buffer, _, done) {
    try {
      pages.take(decoder.write(chunk));
      note();
      done(null, chunk);
    } catch (error) {
      // What it shows could not be written down: nobody is to take it for what it showed before.
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      browser.kill("SIGKILL");
    }
  },
});

new Socket({ fd: 3, readable: true, writable: false })
  .on("error", () => said.end())
  .pipe(said)
  .on("error", () => undefined);
heard
  .pipe(noting)
  .pipe(new Socket({ fd: 4, readable: false, writable: true }))
  .on("error", () => browser.kill("SIGKILL"));

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => browser.kill(signal));
browser.on("error", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(127);
});
browser.on("exit", (code, signal) => {
  rmSync(file, { force: true });
  process.exit(code ?? (signal === null ? 1 : 137));
});

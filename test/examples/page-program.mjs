// page-program.mjs ADDRESS: the page of the web service in a document of linkedom's, at this address. It says what is to be done, presses
// what stands on standard input, a label a line, once it is there, and prints the cards and the log whenever a turn has ended.
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { parseHTML } from "linkedom";

const address = new URL(process.argv[2]);
const folder = new URL("../../examples/web-service/", import.meta.url);
const { document, Event } = parseHTML(await readFile(new URL("page.html", folder), "utf8"));
const { fetch } = globalThis;
// linkedom has no value of these.
const values = new Map();
for (const id of ["sessions", "text"])
  Object.defineProperty(document.getElementById(id), "value", {
    get: () => values.get(id) ?? "",
    set: (value) => values.set(id, value),
  });
const kept = new Map();
Object.assign(globalThis, {
  document,
  location: address,
  history: { replaceState: () => undefined },
  sessionStorage: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) },
  fetch: (path, { headers, ...options }) =>
    fetch(new URL(path, address), { ...options, headers: { ...headers, origin: address.origin } }),
});
await import(new URL("page.mjs", folder).href);

const textOf = (id) => document.getElementById(id).textContent;
const until = async (found) => {
  for (let tries = 0; tries < 3000; tries += 1) {
    const one = found();
    if (one) return one;
    await new Promise((again) => setTimeout(again, 20));
  }
  throw new Error(`this did not come: ${found}; there is ${textOf("waiting")} ${textOf("log")}`);
};
document.getElementById("text").value = "write it";
document.getElementById("form").dispatchEvent(new Event("submit", { cancelable: true }));
for await (const label of createInterface({ input: process.stdin })) {
  const button = await until(() =>
    [...document.querySelectorAll("#waiting button")].find((one) => one.textContent === label),
  );
  const card = document.getElementById("waiting").innerHTML;
  button.click();
  await until(() => textOf("waiting") === "" && textOf("log").includes("Done."));
  console.log(JSON.stringify({ card, log: textOf("log") }));
}
process.exit();

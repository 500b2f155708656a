import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { visibleText } from "../use/visible-text.ts";

/** Characters of a cell's output that are shown: of more the beginning and the end. */
const mostOutput = 4_000;

/** A notebook's cells as text, without what is hidden in it; undefined for a text that is none. */
export function notebookCells(text: string): { cells: string[]; language: string } | undefined {
  let notebook: unknown;
  try {
    notebook = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(notebook) || !Array.isArray(notebook["cells"])) return undefined;
  const cells = notebook["cells"].map((cell, index) => cellText(isJsonObject(cell) ? cell : {}, index + 1));
  return { cells, language: languageOf(notebook) };
}

function languageOf({ metadata }: JsonObject): string {
  const info = isJsonObject(metadata) ? (metadata["language_info"] ?? metadata["kernelspec"]) : undefined;
  const name = isJsonObject(info) ? (info["language"] ?? info["name"]) : undefined;
  return typeof name === "string" ? visibleText(name).slice(0, 40) : "";
}

function cellText(cell: JsonObject, number: number): string {
  const { cell_type: kind, execution_count: count, outputs } = cell;
  const type = kind === "code" || kind === "markdown" || kind === "raw" ? kind : "unknown";
  const run = typeof count === "number" ? `, run ${count}` : "";
  const shown = Array.isArray(outputs) ? outputs.map(outputText).filter((text) => text !== "") : [];
  const said = shown.length === 0 ? "" : `\n\nOutput:\n${cut(shown.join("\n"))}`;
  return `## Cell ${number} (${type}${run})\n\n${clean(joined(cell["source"])).trimEnd()}${said}`;
}

function outputText(output: Json): string {
  if (!isJsonObject(output)) return "";
  const { output_type: type, data, traceback } = output;
  if (type === "stream") return clean(joined(output["text"])).trimEnd();
  if (type === "error") {
    const told = clean(joined(traceback, "\n")).trimEnd();
    return told === "" ? clean(`${joined(output["ename"])}: ${joined(output["evalue"])}`) : told;
  }
  if (!isJsonObject(data)) return "";
  const text = clean(joined(data["text/plain"])).trimEnd();
  const others = Object.entries(data).filter(([kind]) => kind !== "text/plain");
  const told = others.map(([kind, value]) => `[${clean(kind).slice(0, 60)}, ${joined(value).length} characters]`);
  return [text, ...told].filter((one) => one !== "").join("\n");
}

/** A text, or its lines. */
function joined(value: Json | undefined, between = ""): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.filter((one) => typeof one === "string").join(between) : "";
}

/** Colours and whatever else was meant for a terminal. */
const sequences = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-_])|\x9b[0-?]*[ -/]*[@-~]/gu;

const clean = (text: string): string => visibleText(text.replace(sequences, ""));

function cut(text: string): string {
  if (text.length <= mostOutput) return text;
  const half = mostOutput / 2;
  return `${text.slice(0, half)}\n[${text.length - mostOutput} characters left out]\n${text.slice(-half)}`;
}

import { access, constants, stat } from "node:fs/promises";
import { countText } from "../../core/count-text.ts";
import { jsonLine } from "../../core/json-line.ts";
import type { Limit } from "../../core/limit-text.ts";
import { limits } from "../../core/limits.ts";
import type { SandboxChoice } from "../../core/sandbox-choice.ts";
import { marksOf } from "../../core/tool-stats.ts";
import { trustState } from "../../policy/files/trust.ts";
import { statsOf } from "../../records/statistics.ts";
import type { Store } from "../../store/types.ts";
import { findSandbox, type SandboxState } from "../../tools/shell/running/sandbox.ts";
import { scratchFolders, unusedDays } from "../../tools/shell/running/scratch.ts";
import { childPath, passedNames } from "../../tools/shell/running/surroundings.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { doctor } from "../../words/en/doctor.ts";
import { limitAgain, saidAgain, titleAgain } from "../../words/said-again.ts";
import { type Composition, shellSettings } from "../composition.ts";
import { sizeText } from "../print/figures.ts";
import { pageOf } from "../print/page.ts";
import { linesOf, printRows, span, wrapped } from "../print/rows.ts";
import { markText } from "../print/stat-rows.ts";
import { tableRows } from "../print/table.ts";
import type { Span } from "../terminal/span.ts";
import { policyRows } from "./policy.ts";

interface Finding {
  what: string;
  ok: boolean;
  /** Nothing is wrong, and something should be looked at. */
  look?: true;
  text: string;
}

async function fileFinding(what: string, path: string): Promise<Finding> {
  const found = await stat(path).catch(() => undefined);
  return {
    what,
    ok: true,
    text: found === undefined ? doctor().notThere({ path }) : doctor().there({ path, size: sizeText(found.size) }),
  };
}

async function tried(what: string, attempt: () => Promise<string>): Promise<Finding> {
  try {
    return { what, ok: true, text: await attempt() };
  } catch (error) {
    return { what, ok: false, text: error instanceof Error ? error.message : String(error) };
  }
}

/** Checks all that needs the store where it opens; else says once why it does not. */
async function storeFindings(composition: Composition): Promise<Finding[]> {
  const what = "store";
  let store: Store;
  try {
    store = await composition.store();
  } catch (error) {
    return [{ what, ok: false, text: error instanceof Error ? error.message : String(error) }];
  }
  return [
    await tried(what, async () => {
      const sessions = store.sessions.list().length;
      return doctor().held({ file: store.file, size: sizeText((await stat(store.file)).size), sessions });
    }),
    await tried(doctor().keptForUndo, async () => {
      const { versions, bytes } = store.kept();
      const { retentionDays } = composition.config;
      return doctor().kept({ versions, size: sizeText(bytes), days: retentionDays });
    }),
    toolFinding(store),
  ];
}

/** Tools that fail often or are slow: their authors' business, and no fault of the installation. */
function toolFinding(store: Store): Finding {
  const what = doctor().callsOfTools;
  try {
    const stats = statsOf(store);
    const calls = stats.reduce((sum, one) => sum + one.calls, 0);
    const marked = stats.flatMap((one) => marksOf(one).map((mark) => `${one.tool} ${markText(mark, one)}`));
    const all = doctor().calls({ calls: countText(calls), tools: stats.length });
    const told = [...marked.slice(0, 8), ...(marked.length > 8 ? [doctor().more({ more: marked.length - 8 })] : [])];
    return marked.length === 0
      ? { what, ok: true, text: all }
      : { what, ok: true, look: true, text: `${cellWords().several({ what: [all, ...told] })} (agent stats)` };
  } catch (error) {
    return { what, ok: false, text: error instanceof Error ? error.message : String(error) };
  }
}

async function settingsFinding(composition: Composition): Promise<Finding> {
  const { workspace } = composition;
  let unused: readonly string[] = [];
  const found = await tried("settings", async () => {
    const { waiting } = await composition.local(workspace);
    unused = await composition.unusedSettings(workspace);
    const told = [...(waiting.length === 0 ? [] : [doctor().wait({ files: waiting })]), ...unused];
    return told.length === 0 ? doctor().inEffect : cellWords().several({ what: told });
  });
  return unused.length === 0 ? found : { ...found, look: true };
}

/** Checks the part of the person's surroundings that commands get. */
async function shellFindings(composition: Composition): Promise<Finding[]> {
  const settings = shellSettings(composition, composition.workspace);
  const added = await composition.addDirs(composition.workspace).catch(() => []);
  const { path, dropped } = childPath(settings, [composition.workspace, ...added]);
  const without = dropped.length === 0 ? "" : doctor().leftOut({ folders: dropped });
  const state = await findSandbox();
  return [
    { what: "sandbox", ok: state.works || settings.sandbox !== "required", text: sandboxText(settings.sandbox, state) },
    { what: "commands get", ok: true, text: passedNames(settings, true).join(" ") },
    { what: "commands' PATH", ok: true, text: `${path}${without}` },
    await tried("commands' caches", async () => {
      const { folders, bytes } = await scratchFolders(composition.places.shell);
      return doctor().caches({ size: sizeText(bytes), folders, place: composition.places.shell, days: unusedDays });
    }),
  ];
}

function sandboxText(choice: SandboxChoice, state: SandboxState): string {
  if (choice === "off") return doctor().noSandbox;
  if (state.works) return doctor().sandbox({ program: state.program });
  return choice === "required" ? doctor().noneRun({ why: state.why }) : doctor().without({ why: state.why });
}

const thing = (what: string): string => (doctor().things as Readonly<Record<string, string>>)[what] ?? what;

const cellsOf = ({ what, ok, look, text }: Finding): Span[] => [
  look === true
    ? span(`! ${thing(what)}`, { color: "yellow" })
    : span(`${ok ? "✔" : "✖"} ${thing(what)}`, { color: ok ? "green" : "red" }),
  span(saidAgain(text)),
];

/** `agent doctor`: what the agent found of its surroundings; nothing is sent anywhere. @returns 0, or 1 when something is wrong. */
export async function examine(composition: Composition): Promise<number> {
  const { places, workspace, io } = composition;
  const findings: Finding[] = [
    { what: "node", ok: true, text: process.version },
    { what: "workspace", ok: true, text: workspace },
    await tried("workspace writable", async () => {
      await access(workspace, constants.W_OK);
      return doctor().yes;
    }),
    await fileFinding("config", places.config),
    await fileFinding("policy", places.policy),
    await fileFinding("grants", places.grants),
    await fileFinding("memories", places.memories),
    ...(await storeFindings(composition)),
    await settingsFinding(composition),
    await tried("rules", async () => {
      const rows = await policyRows(composition);
      return doctor().rules({ rules: rows.length, off: rows.filter((row) => !row.inForce).length });
    }),
    await tried("trust", async () => doctor().trust[(await trustState(places.trust, workspace)).state]),
    await tried("model", async () => (await composition.openModel(composition.model)).spec),
    ...(await shellFindings(composition)),
    await tried("web search", async () => {
      const { searchAccess } = await import("../../tools/web/search-web.ts");
      const access = searchAccess(composition.config.search, io.env);
      return "missing" in access
        ? access.missing
        : cellWords().searchAt({ provider: access.provider, url: access.base.href });
    }),
    await tried("search", async () => (await import("@vscode/ripgrep")).rgPath),
  ];
  if (composition.flags.json === true) for (const finding of findings) io.stdout.write(jsonLine(finding));
  else await printRows(io, tableRows(findings.map(cellsOf), pageOf(io).width, "wrap"));
  return findings.every((finding) => finding.ok) ? 0 : 1;
}

/** `agent doctor --prompt`: the system prompt that the model would get here, and what went into it by itself. */
export async function showPrompt(composition: Composition): Promise<number> {
  const { config, workspace } = composition;
  const opened = config.promptStats ? await composition.tools(workspace) : undefined;
  const { text, sources } = await composition.prompt(workspace, opened?.tools).finally(opened?.close);
  const listed = sources.length === 0 ? [doctor().nothing] : sources.map((source) => titleAgain("a prompt", source));
  const lines = [text, "", doctor().wentIn, ...listed];
  await printRows(
    composition.io,
    linesOf(lines.join("\n")).flatMap((line) => wrapped([span(line)], pageOf(composition.io).width)),
  );
  return 0;
}

/** `agent doctor --limits`: how much is taken of a model, its server and a repository, and why no more. */
export async function showLimits({ io, flags }: Composition): Promise<number> {
  const rows: [string, Limit][] = Object.entries(limits);
  if (flags.json === true) {
    for (const [name, { what, most, unit, why }] of rows) io.stdout.write(jsonLine({ name, what, most, unit, why }));
    return 0;
  }
  const cells = rows.flatMap(([name, limit]) => {
    const { figure, what, why } = limitAgain(name, limit);
    return [
      [span(figure, { bold: true }), span(what)],
      [span(""), span(why, { dim: true })],
    ];
  });
  await printRows(io, tableRows(cells, pageOf(io).width, "wrap"));
  return 0;
}

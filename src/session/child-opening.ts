import type { ChildSpec } from "../core/child-session.ts";
import { ToolRefusal } from "../core/codes.ts";
import type { Tool } from "../core/tool.ts";
import type { SessionRuntime } from "../graph/runtime.ts";
import { addedThen, lesserMode, noMoreThan, type Rights, rightsOf } from "../policy/rights.ts";
import type { Mode } from "../policy/types.ts";
import { agentOf } from "../records/session-progress.ts";
import type { ChildRow } from "../store/types.ts";
import { notices } from "../words/contract/session.ts";
import { told as words } from "../words/contract/told.ts";
import type { SessionTools } from "./agent-parts.ts";
import { boundsOf } from "./child-bounds.ts";
import type { Above, Opening } from "./opening.ts";

/** With what a child is opened: it is a part of what drives it. */
export function childOpening(
  of: Opening,
  row: ChildRow,
  { settings, limits, paths }: Pick<Above, "settings" | "limits" | "paths">,
): Opening {
  const { first: _, ...opening } = of;
  const { id, spec } = row;
  const { instructions, maxSteps, maxCost, model: own } = spec as unknown as ChildSpec;
  const bounds = boundsOf(row);
  const { rights } = bounds;
  const least: typeof settings = () => {
    const now = settings();
    return rights === undefined ? now : { ...now, mode: lesserMode(now.mode, rights.mode) };
  };
  const { model, mode } = least();
  const named = own === undefined ? undefined : modelNamed(own, model.spec);
  const told = instructions === undefined ? [] : [instructions];
  const whole = {
    root: of.id,
    ...bounds,
    settings: least,
    limits,
    paths,
  };
  return {
    ...opening,
    ...{ id, model: named ?? model.spec, mode, isNew: false, takeOver: false },
    above: { ...whole, instructions: [words.helper, ...told].join("\n\n"), model: named, maxSteps, maxCost },
    emit: (body, heard) => of.emit(body, heard, { session: id, parent: of.id, agent: agentOf(row) }),
    stored: () => undefined,
    settingsWith: (model) => (named === undefined ? least : () => ({ ...least(), model })),
  };
}

/** `:NAME` is a model of the same server; a model without one stands for itself. */
function modelNamed(own: string, parents: string): string | undefined {
  if (!own.startsWith(":")) return own;
  const server = parents.indexOf(":");
  return server < 0 ? undefined : `${parents.slice(0, server)}${own}`;
}

/** Of the tools that were opened for a child those that it has; its session was told already what is to be told of them all. */
export function toolsUnder(above: Above | undefined, opened: SessionTools): SessionTools {
  if (above === undefined) return opened;
  const { tools, current } = opened;
  const unknown = above.names.filter((name) => !tools.some((tool) => tool.name === name));
  const text = notices.unknownTools({ agent: above.agent, tools: unknown });
  const found = unknown.length === 0 ? [] : [{ code: "unknown_tools", text }];
  const of = (given: readonly Tool[]): readonly Tool[] => given.filter(above.offers);
  return { ...opened, notices: found, tools: of(tools), ...(current && { current: async () => of(await current()) }) };
}

/** Works out the rights that a child has at most that this session begins now. @param before with which an earlier one of the same call was begun */
export async function rightsNow(
  { policy, addDirs = [] }: Pick<SessionRuntime, "policy" | "addDirs">,
  mode: Mode,
  before: Rights | undefined,
): Promise<Rights> {
  const now = await policy(mode);
  return rightsOf(before === undefined ? now : noMoreThan(now, before), addedThen(addDirs, before));
}

/** @throws TypeError where a tool that is no TypeScript gives what no child can be begun with */
export function checkSpec({ task, kind, goal, maxCost }: ChildSpec): void {
  if (typeof task !== "string" || task.trim() === "") throw new TypeError("a child needs a task: its first words");
  if (kind !== undefined && !/^[a-z]{1,16}$/u.test(kind)) throw new TypeError(`no kind of a child's work: ${kind}`);
  if (maxCost !== undefined && !(maxCost > 0)) throw new TypeError("what a child may cost is a number above 0");
  if (goal !== undefined && typeof goal !== "string") throw new TypeError("a goal is named by its id");
}

/** Makes the part that follows its parent's id in its own; made once, and stored with it. */
export function ownName(kind: string | undefined, call: string, place: number): string {
  if (kind === undefined) return `${call}.${place + 1}`;
  const minute = new Date().toISOString().slice(0, 16).replaceAll(/[-:]/gu, "");
  return `${kind}-${call.slice(1)}-${minute}-${String(place + 1).padStart(3, "0")}`;
}

/** @throws ToolRefusal where no child of these has that id and has come to its end */
export function endedChild(rows: readonly ChildRow[], isOver: (row: ChildRow) => boolean, id: string): ChildRow {
  const row = rows.find((one) => one.id === id);
  if (row !== undefined && isOver(row)) return row;
  const ended = rows.filter(isOver).map((one) => one.id);
  throw new ToolRefusal("INVALID_ARGUMENT", words.notEnded({ id, ended: ended.slice(-mostNamed) }));
}

/** Of ids in a refusal. */
const mostNamed = 20;

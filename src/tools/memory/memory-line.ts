/** One line under the heading of a memory file. */
export interface Memory {
  /** As it stands in the line. */
  fact: string;
  /** Its writer: the person by hand, or the agent, whose lines say where they come from. */
  by: "person" | "agent";
  /** ISO date. */
  date?: string;
  /** Real path of the workspace that it is told to; without one it is told everywhere. */
  project?: string;
  session?: string;
}

export const memoryHeading = "## Agent Memories";

const marked = /^- (.*) <!-- holdfast((?: [a-z]+=[^\s<>]*)+) -->$/;

/** Reads a line of the section; undefined for one that is no entry. Only the last mark of a line counts. */
export function parseMemory(line: string): Memory | undefined {
  const found = marked.exec(line);
  if (found === null) {
    const fact = /^- (.*\S)\s*$/.exec(line)?.[1];
    return fact === undefined ? undefined : { fact, by: "person" };
  }
  const fields = new Map(
    (found[2] ?? "")
      .trim()
      .split(" ")
      .map((field) => splitField(field)),
  );
  const [date, project, session] = [fields.get("date"), fields.get("project"), fields.get("session")];
  return {
    fact: found[1] ?? "",
    by: "agent",
    ...(date === undefined ? {} : { date }),
    ...(project === undefined ? {} : { project }),
    ...(session === undefined ? {} : { session }),
  };
}

function splitField(field: string): [name: string, value: string] {
  const at = field.indexOf("=");
  return [field.slice(0, at), plain(field.slice(at + 1))];
}

/** The line of a memory, which `parseMemory` reads back. */
export function memoryLine({ fact, by, date, project, session }: Memory): string {
  if (by === "person") return `- ${fact}`;
  const fields = Object.entries({ date, project, session }).filter(
    (field): field is [string, string] => field[1] !== undefined,
  );
  return `- ${fact} <!-- holdfast${fields.map(([name, value]) => ` ${name}=${escaped(value)}`).join("")} -->`;
}

/** A fact that cannot end, or begin, the mark behind it. */
export const safeFact = (fact: string): string => fact.replaceAll("-->", "--&gt;").replaceAll("<!--", "&lt;!--");

const escaped = (value: string): string =>
  value.replace(/[\s%<>\x00-\x1f\x7f]/g, (character) => encodeURIComponent(character));

function plain(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Checks whether a memory is told in this workspace. */
export const isToldIn = (memory: Memory, workspace: string): boolean =>
  memory.project === undefined || memory.project === workspace;

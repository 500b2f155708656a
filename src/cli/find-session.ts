import { CliProblem } from "./problem.ts";

/** The one session that an id or a prefix names. @throws CliProblem: unknown or ambiguous. */
export function findSession<Row extends { id: string }>(match: (id: string) => Row[], idOrPrefix: string): Row {
  const found = match(idOrPrefix);
  const [first] = found;
  if (first === undefined) {
    throw new CliProblem("usage", `there is no session ${JSON.stringify(idOrPrefix)}`, {
      hint: "agent sessions list --all shows those there are",
    });
  }
  if (found.length === 1) return first;
  const some = found
    .slice(0, 8)
    .map((row) => row.id)
    .join(", ");
  throw new CliProblem("usage", `${JSON.stringify(idOrPrefix)} fits ${found.length} sessions: ${some}`, {
    hint: "give more of the id",
  });
}

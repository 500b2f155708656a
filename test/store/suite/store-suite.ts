import { describe } from "vitest";
import type { Backend } from "./backend.ts";
import { forks } from "./forks.ts";
import { moves } from "./moves.ts";
import { record } from "./record.ts";
import { requests } from "./requests.ts";
import { sessions } from "./sessions.ts";
import { turnsAndReplies } from "./turns.ts";
import { verdictsAndEnds } from "./verdicts.ts";

/** What any store does, whatever its engine; what is an engine's own (files, locks, damage, versions) has tests of its own. */
export function storeSuite(name: string, backend: Backend): void {
  describe(name, () => {
    turnsAndReplies(backend);
    moves(backend);
    verdictsAndEnds(backend);
    record(backend);
    requests(backend);
    sessions(backend);
    forks(backend);
  });
}

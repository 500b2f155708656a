import type { HostFact } from "../core/host-fact.ts";
import type { Bounds } from "../core/tool.ts";
import { decide } from "./decide.ts";
import type { Policy, Verdict } from "./types.ts";

/**
 * Judges by the rules a host that a page in a browser wants something of: as a call of the tool that goes to pages, and no other than `web_fetch`
 * may. Of a public host that no rule speaks of nobody is asked. An `ask` is for a call that a person can be asked about.
 * @param tool the one that goes to pages
 */
export function trafficVerdict(
  host: HostFact,
  { tool, ...bounds }: Bounds & { tool: string },
  { risks: _, ...policy }: Policy,
): Pick<Verdict, "decision" | "why"> {
  const [fetched, verdict] = ["web_fetch", tool].map((name) =>
    decide(
      { tool: name, effect: "none", risk: "medium", paths: [], commands: [], hosts: [host], ...bounds },
      { ...policy, mode: "ask" },
    ),
  ) as [Verdict, Verdict];
  if (fetched.decision === "deny" || verdict.decision === "deny")
    return fetched.decision === "deny" ? fetched : verdict;
  if (verdict.decision === "allow") return isByRule(fetched) ? fetched : verdict;
  const asked = [verdict, fetched].find(isByRule);
  if (asked !== undefined || host.range !== undefined) return asked ?? verdict;
  return { ...verdict, decision: "allow" };
}

/** A rule says that a person is to be asked. */
const isByRule = ({ decision, rule: { source } }: Verdict): boolean =>
  decision === "ask" && (source === "user" || source === "project");

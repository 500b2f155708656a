import { services as words } from "../../words/en/services.ts";
import type { Composition } from "../composition.ts";
import type { RuleOffer } from "./session-services.ts";

/** The number of sessions that are looked at after a turn. */
const newestLooked = 50;

/**
 * The first rule for what the person answered alike in a workspace, as it would be written now.
 * @param session only one whose last answer was given there
 */
export async function ruleOffer(
  composition: Composition,
  workspace: string,
  session: string | undefined,
): Promise<RuleOffer | undefined> {
  const [{ gatherSuggestions }, { changeWith }, { changeText, writeChange }, { ruleLine, suggestionLines }] =
    await Promise.all([
      import("../suggest/gather.ts"),
      import("../suggest/written-rule.ts"),
      import("../policy-change.ts"),
      import("../suggest/suggestion-text.ts"),
    ]);
  const policy = await composition.policy({ session: session ?? "", workspace, mode: "ask" });
  // After a turn nobody waits for it: only what is asked for reads all that was ever answered.
  const newest = session === undefined ? {} : { newest: newestLooked };
  const found = await gatherSuggestions({ store: await composition.store(), workspace, policy, ...newest });
  const one = found.find(({ answered }) => session === undefined || answered.at(-1)?.session === session);
  if (one === undefined) return undefined;
  const change = await changeWith(composition.places.policy, one);
  const more = found.length === 1 ? [] : [words().moreRules({ rules: found.length - 1 })];
  return {
    line: ruleLine(one),
    times: one.answered.length,
    text: [...suggestionLines(one), changeText(change).trimEnd(), ...more].join("\n"),
    file: change.file,
    write: async () => {
      await writeChange(change, words().showAnew);
      // Sessions of this process have read the rules before.
      composition.readAnew(workspace);
    },
  };
}

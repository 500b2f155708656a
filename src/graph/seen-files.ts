import { isJsonObject, type Sha } from "../core/json.ts";
import type { SeenFiles } from "../core/tool.ts";
import type { Journal } from "../store/types.ts";

/** What a session last saw of each file: from the results of its settled calls, then from what this process notes. */
export function seenFiles(journal: Pick<Journal, "allCalls">): SeenFiles {
  const noted = new Map<string, Sha>();
  let recorded: Map<string, Sha> | undefined;
  return {
    last: (real) => {
      recorded ??= recordedFiles(journal);
      return noted.get(real) ?? recorded.get(real);
    },
    note: (real, sha) => {
      noted.set(real, sha);
    },
  };
}

function recordedFiles(journal: Pick<Journal, "allCalls">): Map<string, Sha> {
  const files = new Map<string, Sha>();
  for (const call of journal.allCalls()) {
    const metadata = call.status === "success" ? call.result.metadata : undefined;
    const several = metadata?.["files"];
    for (const one of Array.isArray(several) ? several : [metadata]) {
      const { path, sha } = isJsonObject(one) ? one : {};
      if (typeof path === "string" && typeof sha === "string") files.set(path, sha);
    }
  }
  return files;
}

/**
 * The texts that the person reads where a process may have no more files open; `bin/agent.js` has the same words for what ends before this is loaded.
 */
const texts: Readonly<Record<string, string>> = {
  EMFILE: "too many open files: this process may have no more files open; allow more, then try again: ulimit -n 1024",
  ENFILE: "too many open files: the system may have no more files open; end some programs, then try again",
};

/** As the loader of native parts tells it, without a code. */
const asLoader = /too many open files(?<all> in system)?/iu;

/** @returns the sentence for it where a failure, or what caused it, is a lack of descriptors; else undefined */
export function tooManyFilesText(error: unknown): string | undefined {
  const seen = new Set<unknown>();
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at);
    const code = "code" in at && typeof at.code === "string" ? at.code : "";
    const said = code === "ERR_DLOPEN_FAILED" ? asLoader.exec(at.message) : null;
    const text = said === null ? texts[code] : texts[said.groups?.["all"] === undefined ? "EMFILE" : "ENFILE"];
    if (text !== undefined) return text;
  }
  return undefined;
}

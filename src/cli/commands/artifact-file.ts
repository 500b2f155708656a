import type { Artifact } from "../../core/artifacts.ts";

const endings: Readonly<Record<string, string>> = {
  ...{ markdown: "md", md: "md", html: "html", svg: "svg", css: "css", json: "json", csv: "csv", yaml: "yaml" },
  ...{ javascript: "js", typescript: "ts", python: "py", text: "txt", plain: "txt" },
};

/** Bytes; most file systems have names of 255. */
const longest = 200;

/**
 * A file's name for an artifact: what the model called it, with nothing in it that leads elsewhere, hides, or is no letter, figure, blank
 * or one of `._-`; with the ending of its type where it has none.
 */
export function fileNameOf({ id, name, type }: Pick<Artifact, "id" | "name" | "type">): string {
  const plain = name.normalize("NFC").replace(/[^\p{L}\p{M}\p{N} ._-]+/gu, "_");
  const bare = cutTo(plain, longest).replace(/^[\s._-]+|[\s.]+$/gu, "");
  const made = bare === "" ? id : bare;
  const ending = endings[type.toLowerCase().replace(/^text\/|^application\//u, "")];
  return ending === undefined || /\.[A-Za-z0-9]{1,8}$/u.test(made) ? made : `${made}.${ending}`;
}

/** As many whole characters as there is room for. */
function cutTo(text: string, bytes: number): string {
  let [kept, left] = ["", bytes];
  for (const character of text) {
    left -= Buffer.byteLength(character);
    if (left < 0) break;
    kept += character;
  }
  return kept;
}

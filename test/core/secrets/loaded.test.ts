import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..", "..", "src");

/** The files that are loaded with one, by what it imports at once: types and `import()` are not. */
function loadedWith(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known;
  known.add(file);
  const text = readFileSync(file, "utf8");
  for (const [, path = ""] of text.matchAll(/^(?:import|export) (?!type)[^;]*?from "(\.[^"]+\.tsx?)";/gm))
    loadedWith(join(dirname(file), path), known);
  return known;
}

describe("where no secret is set", () => {
  it("a session loads nothing that keeps or masks them, and no file is asked but whether they have a place", () => {
    const all = [
      "cli/main.ts",
      "cli/composition.ts",
      "cli/open-tools.ts",
      "session/open-agent.ts",
      "session/open-session.ts",
      "tools/create-default-tools.ts",
    ].flatMap((entry) => [...loadedWith(join(root, entry))].map((file) => relative(root, file)));
    const secret = [...new Set(all)].filter((file) => file.includes("secrets/")).sort();
    expect(all.length).toBeGreaterThan(200);
    expect(secret).toEqual([
      "cli/secrets/open-secrets.ts",
      "cli/secrets/secret-place.ts",
      "core/secrets/secret-domains.ts",
      "core/secrets/secret-tags.ts",
    ]);
  });
});

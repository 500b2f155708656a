import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { root } from "./support/run.ts";

/** What `npm install` would unpack, by path. */
function packedFiles(): string[] {
  const { stdout } = spawnSync("npm", ["pack", "--ignore-scripts", "--dry-run", "--json"], {
    cwd: root,
    encoding: "utf8",
  });
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, { files: { path: string }[] }>);
  return packed?.files.map(({ path }) => path) ?? [];
}

/** Places of the package that a page leads to, from its folder on; nothing of the web. */
const linksOf = (page: string): string[] =>
  [...readFileSync(join(root, page), "utf8").matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/gu)]
    .map(([, link, picture]) => (link ?? picture ?? "").replace(/#.*$/u, ""))
    .filter((link) => link !== "" && !/^[a-z]+:/u.test(link))
    .map((link) => normalize(join(dirname(page), link)));

test("each link of a page in the package leads to what is in the package too", () => {
  const files = packedFiles();
  const pages = files.filter((path) => path.endsWith(".md"));
  expect(pages).toEqual(expect.arrayContaining(["README.md", "docs/tools.md", "docs/security.md"]));
  const isThere = (path: string): boolean => files.some((file) => file === path || file.startsWith(`${path}/`));
  const dead = pages.flatMap((page) =>
    linksOf(page)
      .filter((to) => !isThere(to))
      .map((to) => `${page} -> ${to}`),
  );
  expect(dead).toEqual([]);
  expect(linksOf("README.md").length).toBeGreaterThan(10);
});

const completions = 50;

/** Files and folders of `workspace` that complete what was typed, those that begin with it first. */
export async function completeFile(workspace: string, prefix: string): Promise<string[]> {
  const { default: glob } = await import("fast-glob");
  // The library refuses to escape nothing.
  const escaped = prefix === "" ? "" : glob.escapePath(prefix);
  const found = await glob(prefix === "" ? ["*"] : [`${escaped}*`, `**/${escaped}*`], {
    cwd: workspace,
    ignore: ["**/.git/**", "**/node_modules/**"],
    markDirectories: true,
    onlyFiles: false,
    dot: prefix.includes("."),
    followSymbolicLinks: false,
    suppressErrors: true,
    deep: 8,
  });
  const best = (path: string) => (path.startsWith(prefix) ? 0 : 1);
  return found.sort((a, b) => best(a) - best(b) || a.length - b.length || (a < b ? -1 : 1)).slice(0, completions);
}

/** Variables that would have bash run something else than was judged, or that are ours to set. */
const neverPassing = new Set(
  "PATH BASH_ENV ENV SHELLOPTS BASHOPTS PS4 IFS CDPATH GLOBIGNORE POSIXLY_CORRECT BASH_LOADABLES_PATH BASH_XTRACEFD AGENT".split(
    " ",
  ),
);

/** Returns the reason that a name cannot stand in `shellEnv`; undefined where it can. */
export function wrongEnvName(name: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return "not the name of a variable";
  if (neverPassing.has(name) || name.startsWith("HOLDFAST_") || name.startsWith("BASH_FUNC_"))
    return "it would have the shell run something else than what was judged, or is set by the agent";
  return undefined;
}

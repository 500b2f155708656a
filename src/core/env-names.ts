/** Variables that would have bash run something else than was judged, or that are ours to set. */
const neverPassing = new Set(
  "PATH BASH_ENV ENV SHELLOPTS BASHOPTS PS4 IFS CDPATH GLOBIGNORE POSIXLY_CORRECT BASH_LOADABLES_PATH BASH_XTRACEFD AGENT".split(
    " ",
  ),
);

/** By which git goes to another repository, working tree or programs than those of the folder that it was judged by, or takes a path for another one. */
const leadingGit =
  /^GIT_(?:DIR|WORK_TREE|COMMON_DIR|IMPLICIT_WORK_TREE|PREFIX|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|EXEC_PATH|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM|GRAFT_FILE|SHALLOW_FILE|REPLACE_REF_BASE|QUARANTINE_PATH|ATTR_SOURCE|INTERNAL_(?:SUPER_PREFIX|GETTEXT_\w+)|(?:LITERAL|GLOB|NOGLOB|ICASE)_PATHSPECS)$/u;

/** Returns the reason that a name cannot stand in `shellEnv`; undefined where it can. */
export function wrongEnvName(name: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return "not the name of a variable";
  if (neverPassing.has(name) || name.startsWith("HOLDFAST_") || name.startsWith("BASH_FUNC_"))
    return "it would have the shell run something else than what was judged, or is set by the agent";
  if (leadingGit.test(name))
    return "it would have git go by another repository, or other paths, than those that were judged";
  return undefined;
}

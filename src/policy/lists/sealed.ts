import { type ListRow, listed } from "./row.ts";

/** Nobody's call touches these, whether they exist or not. Folders of git under other names are found by what lies in them. */
export const sealedList: readonly ListRow[] = [
  {
    names: listed(".git"),
    why: "git_data",
    match: listed(".git, .git/config, vendor/lib/.git/hooks/post-checkout, .GIT/x, .git./x, git~1/config"),
    notMatch: listed(".gitignore, .github/FUNDING.yml, git/config, notes.git.md"),
  },
  {
    names: listed(".hg, .jj, .svn, .sl, .bzr, _darcs, .pijul, .fslckout, _fossil_"),
    why: "other_history",
    match: listed(`
      .hg/hgrc, .jj/repo/config.toml, .svn/entries, .sl/config, .bzr/branch/branch.conf, _darcs/prefs/defaults,
      .pijul/config, .fslckout, _FOSSIL_
    `),
    notMatch: listed(".hgignore, src/jj.ts, svn/readme, darcs/a, slides/a.md"),
  },
  {
    names: listed(".holdfast"),
    why: "project_settings",
    match: listed(".holdfast/policy.json, .holdfast, sub/.HoldFast/config.json"),
    notMatch: listed(".holdfast-notes, holdfast/a.ts"),
  },
];

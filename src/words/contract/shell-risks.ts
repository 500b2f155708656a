// Keeps words 6.
/** The things that a command takes away or reaches by the table of `tools/shell/reading/destructive.ts`; words that can follow "because". */
export const shellRisks = {
  loses_changes: "changes that are not committed are lost",
  drops_commits: "what it takes away is in no commit that a name leads to, or is no longer named",
  overwrites_others: "it overwrites or removes what others have",
  takes_files: "it takes files away",
  overwrites_files: "it overwrites files without asking",
  changes_rights: "it changes the rights of many files, which undo does not take back",
  writes_disks: "it writes to disks below their files",
  others_rights: "it runs with another person's rights",
  publishes: "it publishes, which nobody can take back",
  changes_systems: "it changes systems beyond the workspace",
  speaks: "it speaks to another machine, and can carry out what was read",
  sends: "it sends something to another machine",
  reaches_in: "it reaches into other programs, or into the system",
};

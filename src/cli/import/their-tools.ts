/** Tools of another program by its names, and ours that do the same. */
export type TheirTools = Readonly<Record<string, readonly string[]>>;

/** Ours for one of theirs; none where nothing of ours does the same. */
export const oursFor = (tools: TheirTools, name: string): readonly string[] =>
  Object.hasOwn(tools, name) ? (tools[name] ?? []) : [];

const shell = ["shell*"];
const changing = ["edit_file", "write_file"];

export const claudeTools: TheirTools = {
  Read: ["read_file"],
  Edit: ["edit_file"],
  MultiEdit: ["edit_file"],
  Write: ["write_file"],
  Bash: shell,
  Grep: ["grep"],
  Glob: ["glob"],
  LS: ["ls"],
  WebFetch: ["web_fetch"],
  WebSearch: ["web_search"],
};

/** opencode's tools: one that may edit may write there, by whichever name. */
export const opencodeTools: TheirTools = {
  bash: shell,
  shell,
  edit: changing,
  write: changing,
  patch: changing,
  multiedit: changing,
  read: ["read_file"],
  grep: ["grep"],
  glob: ["glob"],
  list: ["ls"],
  webfetch: ["web_fetch"],
  websearch: ["web_search"],
};

/** By both of their names. */
export const geminiTools: TheirTools = {
  read_file: ["read_file"],
  ReadFileTool: ["read_file"],
  read_many_files: ["read_file"],
  ReadManyFilesTool: ["read_file"],
  write_file: ["write_file"],
  WriteFileTool: ["write_file"],
  replace: ["edit_file"],
  EditTool: ["edit_file"],
  glob: ["glob"],
  GlobTool: ["glob"],
  search_file_content: ["grep"],
  grep_search: ["grep"],
  GrepTool: ["grep"],
  list_directory: ["ls"],
  LSTool: ["ls"],
  save_memory: ["save_memory"],
  MemoryTool: ["save_memory"],
  run_shell_command: shell,
  ShellTool: shell,
  web_fetch: ["web_fetch"],
  WebFetchTool: ["web_fetch"],
  google_web_search: ["web_search"],
  WebSearchTool: ["web_search"],
};

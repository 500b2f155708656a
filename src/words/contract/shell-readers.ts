import type { Clause } from "../coded.ts";

/** The reasons why a command is taken to only read; words that can follow "because". */
const reads = {
  shows_files: "it only shows what is in files",
  orders_files: "it only orders or compares what is in files",
  compares_files: "it only compares or orders what is in files",
  searches_files: "it only searches the files that are named",
  shows_folders: "it only goes through folders and shows what is there",
  tells_folders: "it only goes through folders and tells what is there",
  finds_names: "it only finds names",
  tells_names: "it only tells names and sizes of files",
  shows_lines: "it only shows lines, changed or by number",
  prints: "its program only prints",
  lists_archive: "it only lists an archive",
  tells_processes: "it only tells of processes",
  tells_disks: "it only tells of disks",
  tells_machine: "it only tells of the machine",
  tells_variables: "it only tells of the machine, or of the variables that a command gets",
  tells_time: "it only tells the time",
  tells_program: "it only tells where a program is",
  lists_installed: "it only lists what is installed",
  lists_versions: "it only lists what is installed, or tells its version",
  tells_version: "it only tells its version",
  tells_settings: "it only tells its version and its settings",
  asked_for_help: "it is only asked for its version or its help",
  starts_another: "it only starts another command, which is judged by itself",
  changes_nothing: "it changes nothing",
  keeps_to_variables: "it changes nothing but the line's own variables",
  sets_variable: "it only sets a variable of the line",
  steers_line: "it only changes how the line goes on",
  moves_line: "it only changes where the rest of the line runs",
  opens_input: "it only opens what the line reads from",
  tells_repository: "it only tells of the repository",
  tells_no_content: "it only tells of the repository, without what is in files",
  shows_kept: ({ count }: { count: number }) =>
    `it only shows what git keeps of ${count === 1 ? "a file" : `${count} files`} that may be read`,
  boxed: ({ because }: { because: Clause }) => `${because}, where nothing can be written`,
};

/** The reasons why it is not; words that can follow "because". */
const more = {
  not_held: "there is no sandbox to hold it to reading what its words do not say",
  could_tell: "it reads, and by the network it could tell what it has read",
  outer_git:
    "a git of its line is of a repository that is not below the workspace as a whole, so nothing would keep it from what is not read without asking",
  setting: "a variable is set that programs may take their orders from",
  obeying: "settings of the repository may run programs there, and git cannot be kept from them",
  refreshing: "without the sandbox git writes there what it found, in its index or beside it",
  older_bash: "bash before 4, as macOS has it, may end a substitution of the line within its here-document",
  unknown_words: "what it does with these words is not known to be reading alone",
  npm_settings: "npm reads settings from the .npmrc of the folder, which may say where it writes",
  shim: "the program is another one where a file of the project says so",
  compares_on_disk:
    "git may compare what lies on the disk there, outside of its working tree or with all that folders hold",
  unnamed_files: "which files it would show is not known before it runs",
  may_be_option: "a word that is known only when it runs may be an option by which it starts a program",
  may_be_ended:
    "a word that is known only when it runs may be an option by which it starts a program: put -- before it",
  given_option: "a word that is known only when it runs begins as an option that makes it more than reading",
  open_words: "not all of its words are known before it runs",
  any_program: "it may be any program, and git's folder is there for the git of its line",
  unknown_files:
    "which files it comes upon is not known before it runs, and git's folder is there for the git of its line",
  names_outside: "it names what lies outside of the workspace",
  not_understood: "it is not understood",
  writes_by_word: ({ option }: { option: string }) => `its word ${option} writes a file`,
  runs_by_word: ({ option }: { option: string }) => `its word ${option} runs what it names`,
  into_file: "its output goes into a file",
  own_program: "the program lies in the workspace",
  writes: ({ place }: { place: string }) => `it writes ${place}`,
  goes_deep: "it goes through a folder with all that lies below it",
  reads_stream: ({ place }: { place: string }) =>
    `${place} is a FIFO, a socket or a device: what is read there comes of something else, and may be gone then`,
  reads_outside: ({ place }: { place: string }) => `it reads ${place}, which lies outside of the workspace`,
};

/** The same of a git, of a command beside one, and of what a session wrote. */
const beside = {
  may_show_password: "it may show a password: there is no such address, or one that holds some",
  unsaid_files: "git does not say beforehand which files it would show, or there is nothing of this name",
  too_many_kept: "it goes through more files than are looked at for what is to be kept from it",
  other_repositories: ({ place }: { place: string }) =>
    `it may come upon ${place}, which is not looked through for other repositories`,
  there_for_git: ({ place }: { place: string }) =>
    `it may come upon ${place}, and such folders are there for the git of its line`,
  kept_from_git: ({ place }: { place: string }) =>
    `it may come upon ${place}, which is not read without asking, and what is kept from it would be kept from the git of its line, too`,
  too_much_made: ({ files, megabytes }: { files: number; megabytes: number }) =>
    `it runs what this session wrote, and of that there is more than the ${files} files, or ${megabytes} MB, that a line is given to run apart from the workspace`,
};

// Keeps words 6.
/**
 * The reasons why a command of a line is taken to only read, or why not, as `tools/shell/` finds them; the journal and models have them in these
 * words.
 */
export const shellReaders = { ...reads, ...more, ...beside };

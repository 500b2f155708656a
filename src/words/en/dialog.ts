import { room } from "../room.ts";

/** The question about calls that wait for the person's yes. */
export const dialog = room("dialog", {
  risks: { low: "LOW", medium: "MEDIUM", high: "HIGH" },
  labels: {
    deny: "No, deny",
    reason: "No, and say why…",
    edit: "Edit it, then decide…",
    once: "Yes, once",
    session: "Yes, and for this session…",
    project: "Yes, and in this project…",
    made: "Yes, and what it writes may run in the sandbox…",
    mode: "Yes, and allow edits from now on…",
  },
  shortLabels: {
    deny: "deny",
    reason: "why not",
    edit: "edit",
    once: "once",
    session: "session",
    project: "project",
    made: "what it writes",
    mode: "all edits",
  },
  /** Of the answers that work a plan. */
  planLabels: { once: "Yes, work by it in ask", mode: "Yes, work by it in accept-edits…" },
  shortPlanLabels: { once: "in ask", mode: "in accept-edits" },
  asksForWord: "asks for the word yes",
  notAllShown: "not all shown",
  /** The words around the entry that a wider choice would write. */
  confirm: "enter confirms · esc goes back",
  writes: "writes: ",
  to: "to: ",
  sets: "sets: ",
  mode: ({ mode }: { mode: string }) => `mode ${mode}`,
  modeMeans: " (file edits inside the workspace are not asked about; shift+tab changes it)",
  /** Hints that stand side by side, those of one name the widest first. */
  keys: {
    editor: "o editor",
    unseen: ({ position }: { position: string }) => `${position} space`,
    back: ["esc goes back", "esc back"],
    denies: ["esc denies", "esc no"],
    keepsWaiting: ["ctrl+c stops, keeps it waiting", "ctrl+c later"],
    stops: "ctrl+c stops",
    several: ["tab next · l list · A all shown", "tab next · l list · A all", "tab · l · A"],
    more: ["? why · d full screen", "? why · d full", "? · d full", "? · d"],
  },
  fieldHint: "enter decides · esc goes back",
  /** Before what is typed. */
  whyNot: "why not? ",
  confirmHigh: "HIGH risk: type yes to approve: ",
  confirmUnseen: "Not all shown: type yes to approve: ",
  editHint: "ctrl+s takes it over, then you decide · ctrl+o your editor · esc goes back",
  editFieldHint: "ctrl+s takes it over, then you decide · ctrl+o your editor · esc goes back · tab all as JSON",
  whyHint: "y n e d … as in the menu · esc goes back",
  listHint: "↑↓ enter opens · esc goes back",
  /** Of a change that was read to its end; `edit` where it may be edited. */
  readHints: ({ edit }: { edit: boolean }) => {
    const edits = edit ? " · e edit" : "";
    return [
      `read to its end: y yes · r no, and why${edits} · J K change · / search · esc back to the choices`,
      `read: y yes · r no, and why${edits} · J K change · esc back`,
      "read: y yes · r no · esc back",
      "y · r · esc back",
    ];
  },
  /** The facts that stand beside the effect. */
  facts: {
    risk: ({ risk }: { risk: string }) => `risk: ${risk}`,
    why: ({ why }: { why: string }) => `why: ${why}`,
    decidedBy: ({ rule }: { rule: string }) => `decided by: ${rule}`,
    askedAnew: ({ why }: { why: string }) => `asked anew: ${why}`,
    warning: ({ text }: { text: string }) => `warning: ${text}`,
    facts: ({ facts }: { facts: readonly string[] }) => `facts: ${facts.join(", ")}`,
    digest: ({ digest }: { digest: string }) => `digest: ${digest}`,
    /** Before the reason. */
    whyLead: "why: ",
    askedBy: ({ agent }: { agent: string }) => `asked by the sub-agent ${agent}`,
    warnings: ({ warnings }: { warnings: number }) => `${warnings} warnings, all of them above the change: home`,
    more: ({ rows }: { rows: number }) => `… ${rows} more · ? shows all`,
    large: "a very large change: read it to its end, or approve it by the word yes",
  },
  /** `rows` as `lines 27-249` says them. */
  unseen: ({ rows }: { rows: string }) => `${rows} not shown`,
  unseenRows: ({ unseen, next }: { unseen: string; next: string }) => `${unseen}: space goes there · ${next}`,
  unseenSome: ({ next }: { next: string }) => `not all shown; ${next}`,
  /** The words that may follow there. */
  approvesAgain: "y again approves",
  approvesAllTheSame: "enter again approves all the same",
  goesBack: "esc goes back",
  readFirst: "read it to its end first; esc goes back",
  notAllWasShown: "not all of it was shown",
  partial: "not all shown; read it to its end first, or approve it once with y",
  noText: "this is no text: esc goes back, y there asks for the word",
  runsOn: "long lines run on to the right: h wraps them again, then read it to its end",
  only: "this is the only request",
  noChoice: ({ typed }: { typed: string }) => `“${typed}” is no choice here`,
  noneShown: "A approves what was shown whole, of low or medium risk: nothing yet",
  pasted: "a paste decides nothing here",
  heldEsc: "nothing is denied: esc went one step back just now; n denies, or esc after a moment",
  heldEnter: "nothing is decided: enter went here just now; press it again after a moment",
  reasonKept: "your reason is kept: r opens it again",
  notTheWord: "not approved: the word was not “yes”",
  ofMenu: "n and p are keys of the menu: esc goes back there · J K go from change to change",
  listOnly: "↑↓ and enter open one, esc goes back: nothing is decided here",
  decided: "this one is decided already",
  editKept: "your edit is kept: e opens it again",
  waitsNoMore: "the call waits no more: your edit was not used",
  editorFailed: "the editor failed: nothing is changed",
  nothingToEdit: "nothing in this call may be edited",
  tooLong: "too long to edit here; o opens it in your editor",
  draft: "this is your edit as you left it; ctrl+r begins anew",
  unchanged: "the arguments are as before",
  /** `deep` says how deep they go. */
  tooDeep: ({ deep }: { deep: string }) => `the arguments are ${deep}`,
  notJson: ({ why }: { why: string }) => `not JSON: ${why}`,
  notObject: "the arguments must be one JSON object",
  notEditable: ({ names }: { names: string }) => `not editable: ${names}`,
  /** The words where lines are all there is. */
  lines: {
    request: ({ at, of, call }: { at: number; of: number; call: string }) => `Request ${at} of ${of}: ${call}`,
    risk: ({ risk, why, rule }: { risk: string; why: string; rule: string }) => `Risk: ${risk}. Why: ${why} (${rule})`,
    news: ({ text }: { text: string }) => `New: ${text}`,
    askedAnew: ({ why }: { why: string }) => `Asked anew: ${why}`,
    askedBy: ({ agent }: { agent: string }) => `Asked by the sub-agent ${agent}`,
    warning: ({ text }: { text: string }) => `Warning: ${text}`,
    partial: ({ text }: { text: string }) => `Partial: ${text}`,
    facts: ({ facts }: { facts: readonly string[] }) => `Facts: ${facts.join(", ")}`,
    command: ({ command }: { command: string }) => `Command: ${command}`,
    /** Tells where the command runs, and what holds it there. */
    surroundings: ({ text }: { text: string }) => `It ${text}`,
    /** `title`: which file it runs or reads. */
    script: ({ title }: { title: string }) => `${title.charAt(0).toUpperCase()}${title.slice(1)}`,
    part: ({ part }: { part: string }) => `Part: ${part}`,
    arguments: ({ text }: { text: string }) => `Arguments: ${text}`,
    plan: "Plan:",
    goal: ({ goal }: { goal: string }) => `Goal, once it is approved: ${goal}`,
    asked: "What now? Type one of these, or its number:",
    typed: {
      deny: "n, deny",
      reason: "r REASON      (deny, and say why)",
      edit: "e JSON        (edit: the whole arguments, then decide)",
      once: "y, yes        (approve once)",
      onceHigh: "yes           (approve once; HIGH risk: only the word yes counts)",
      oncePartial: "yes           (approve once; not all is shown: only the word yes counts)",
      plan: "y, yes        (approve it; the mode is ask then)",
      /** `typed`: what is typed, as wide as the others. */
      wider: ({ typed, grant, file }: { typed: string; grant: string; file: string }) =>
        `${typed} (yes, and from now on: ${grant}; written to ${file})`,
      mode: ({ mode }: { mode: string }) =>
        `m, mode       (yes, and allow edits from now on; the mode is ${mode} then)`,
    },
    reasonTyped: "r REASON",
    editTyped: "e JSON",
    undecided: ({ choices }: { choices: readonly string[] }) =>
      `Nothing was decided. Type ${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}.`,
    /** `next`: the sentence above. */
    drawnOnly: ({ typed, next }: { typed: string; next: string }) =>
      `“${typed}” is a key of the drawn chat only; here the question is shown whole. ${next}`,
    typeReason: "Type r and the reason on one line.",
    yesAlone: "Nothing was decided. Type yes alone to approve.",
    wordHigh: "Nothing was decided. HIGH risk: type the word yes.",
    wordUnseen: "Nothing was decided. Not all of it is shown: type the word yes.",
    notOffered: "Nothing was decided. That is not offered for this call.",
    unread: "Nothing was decided. Not all of it is shown: approve it once, by the word yes.",
    typeEdit: ({ now }: { now: string }) => `Type e and the whole arguments as JSON. They are now: ${now}`,
    badEdit: ({ wrong }: { wrong: string }) => `Nothing was decided: ${wrong}`,
    sameEdit: "The arguments are as before; nothing was decided.",
  },
});

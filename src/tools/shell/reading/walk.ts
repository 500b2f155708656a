import type { ParsedScript, Redirection, SyntaxNode, Word } from "unbash";
import { forEachChild, parse } from "unbash";
import type { PlannedCommand } from "../../../core/command.ts";
import { limits } from "../../../core/limits.ts";
import { rootsOf } from "../../../core/tool.ts";
import { shellDoubts } from "../../../words/contract/shell-doubts.ts";
import { bindUnknown } from "./bind-unknown.ts";
import type { CommandPlace } from "./command-place.ts";
import { patternsOfLine } from "./expansions.ts";
import { after, type Ends, either, type Folders, isMover, moved, onlyFolder, sentTo, stay } from "./folders.ts";
import { noteGit } from "./git-line.ts";
import type { LineState } from "./line-state.ts";
import { namesFolderVariable, staysByName } from "./own-folder.ts";
import { findOwnProcess } from "./own-process.ts";
import { findUnplain, isUnsureInOlder, withDoubt } from "./plain/plain-line.ts";
import type { Use } from "./programs.ts";
import { findRefusal } from "./refusal.ts";
import { Binder } from "./runners/binder.ts";
import { assignmentsOf, openWords, plainCommand, wordsOf } from "./simple-command.ts";
import { settleReaches } from "./spread.ts";
import type { Started } from "./started.ts";
import { testedFiles } from "./tested-files.ts";
import { findUnquotedBlank } from "./unquoted-blanks.ts";
import { valuesGiven } from "./values-given.ts";
import { checkErrors, NotParsed, TooMuch } from "./walk-errors.ts";
import { fixedValue, type Hidden, hiddenIn } from "./words.ts";
import { isPlainCode, isTransparent, startedBy } from "./wrappers.ts";

type NodeOf<T extends SyntaxNode["type"]> = Extract<SyntaxNode, { type: T }>;

interface Bare {
  /** A word of the shell that is a command by itself. */
  argv?: string[];
  files?: readonly (Use | null)[];
  names?: string[];
  redirects?: readonly Redirection[];
  within?: readonly SyntaxNode[];
}

/** The simple commands of a line in the order of its text, and what could not be bound, in words. */
export interface WalkedLine {
  commands: PlannedCommand[];
  warnings: string[];
}

/** @returns why the line is refused, where it is. */
export function walkLine(line: string, place: CommandPlace): WalkedLine | string {
  try {
    const walk = new Walk(place);
    const script = parse(line);
    walk.start(script, line);
    const refusal = findUnquotedBlank(script, line) ?? walk.refusal ?? findOwnProcess(walk.commands);
    if (refusal !== undefined) return refusal;
    if (walk.commands.length === 0) return shellDoubts.no_command;
    settleReaches(walk.commands, rootsOf(place));
    noteGit(walk.commands, rootsOf(place));
    bindUnknown(walk.commands, place, walk.binder);
    if (walk.isUnsureInOlder || isUnsureInOlder(line)) for (const one of walk.commands) one.unsureInOlder = true;
    return { commands: withDoubt(walk.commands, findUnplain(script, line)), warnings: [...walk.binder.warnings] };
  } catch (error) {
    if (error instanceof RangeError) return shellDoubts.too_nested;
    if (error instanceof TooMuch) return error.message;
    if (error instanceof NotParsed) return shellDoubts.not_parsed({ because: error.message });
    throw error;
  }
}

/** One way through a program, in the order in which bash comes by, with the folders in which it may stand then. */
class Walk {
  readonly commands: PlannedCommand[] = [];
  readonly binder = new Binder();
  /** The reason why a text that is run as a program is refused, and the line with it. */
  refusal: string | undefined;
  /** Of a text that is run as a program, too. */
  isUnsureInOlder = false;
  readonly #place: CommandPlace;
  readonly #functions = new Set<string>();
  readonly #variables = new Map<string, (Word | null)[]>();
  #isLoose = false;
  #setsFolder = false;
  /** In all texts that were read, those that are run as programs too. */
  #words = 0;
  readonly #left = patternsOfLine();
  /** True if the part that is walked through gets its input from another part of the line. */
  #isFed = false;
  #home: string | undefined;
  /** The text that positions of nodes mean: the line, or what is in backticks. */
  #source = "";
  /** The number of programs that have started each other to get here. */
  #depth = 0;

  constructor(place: CommandPlace) {
    this.#place = place;
    this.#home = place.home;
  }

  start(script: ParsedScript, source: string): void {
    this.#source = source;
    this.#lookAhead(script);
    this.#script(script, [this.#place.cwd]);
  }

  /** Functions hold in all of the line, and so does a HOME that is set somewhere in it. */
  #lookAhead(node: SyntaxNode): void {
    if (node.type === "Script") checkErrors(node);
    if (node.type === "Function") this.#functions.add(node.name.value);
    if (node.type === "Assignment" && node.name === "HOME") this.#home = undefined;
    for (const [name, values] of valuesGiven(node))
      this.#variables.set(name, [...(this.#variables.get(name) ?? []), ...values]);
    if (node.type === "Word" || node.type === "Assignment") this.#isLoose ||= loosens.test(node.text);
    if (node.type === "Word") this.#words += 1;
    if (this.#words > limits.commandWords.most) throw new TooMuch(shellDoubts.long_list(limits.commandWords));
    this.#setsFolder ||= namesFolderVariable(node);
    forEachChild(node, (child) => this.#lookAhead(child));
  }

  #script(script: ParsedScript, folders: Folders): Ends {
    const outer = this.#source;
    this.#source = script.source ?? outer;
    const ends = this.#list(script.commands, folders);
    this.#source = outer;
    return ends;
  }

  #list(nodes: readonly SyntaxNode[], folders: Folders): Ends {
    let ends = stay(folders);
    for (const node of nodes) ends = this.#node(node, after(ends));
    return ends;
  }

  #node(node: SyntaxNode, folders: Folders): Ends {
    switch (node.type) {
      case "Statement": {
        const ends = this.#node(node.command, folders);
        return node.background === true ? stay(folders) : ends;
      }
      case "CompoundList":
        return this.#list(node.commands, folders);
      case "AndOr":
        return this.#andOr(node, folders);
      case "Pipeline": {
        if (node.commands.length > 1) return this.#pipe(node.commands, folders);
        const ends = this.#list(node.commands, folders);
        return stay(after(ends));
      }
      case "Command":
        return this.#command(node, folders);
      case "BraceGroup":
        return this.#node(node.body, folders);
      case "Subshell":
        return this.#apart([node.body], folders);
      case "Redirected":
        this.#bare(node, folders, { redirects: node.redirects, within: node.redirects });
        return this.#fed(() => this.#node(node.command, folders));
      case "Function":
        this.#fed(() => this.#node(node.body, undefined));
        return stay(folders);
      case "Coproc":
        this.#bare(node, folders, { names: [node.name?.value ?? "COPROC"] });
        return this.#fed(() => this.#apart([node.body], folders));
      default:
        return this.#compound(node, folders);
    }
  }

  #compound(node: SyntaxNode, folders: Folders): Ends {
    switch (node.type) {
      case "If":
        return this.#if([node, ...node.elif], node.else, folders);
      case "While":
        return this.#loop(node, [node.clause, node.body], folders);
      case "For":
      case "Select":
        this.#bare(node, folders, { names: [node.name.value], within: node.wordlist ?? [] });
        return this.#loop(node, [node.body], folders);
      case "ArithmeticFor": {
        const expressions = [node.initialize, node.test, node.update].filter((one) => one !== undefined);
        this.#bare(node, folders, { within: expressions });
        return this.#loop(node, [node.body], folders);
      }
      case "Case":
        return this.#case(node, folders);
      case "TestCommand":
        this.#bare(node, folders, { argv: ["[["], within: [node], files: testedFiles(node.expression, this.#home) });
        return stay(folders);
      case "ArithmeticCommand":
        this.#bare(node, folders, { argv: ["(("], within: [node] });
        return stay(folders);
      default:
        throw new NotParsed(shellDoubts.odd_node({ node: node.type }));
    }
  }

  /** The first has the line's own input, each other what the one before it says. */
  #pipe([first, ...others]: readonly SyntaxNode[], folders: Folders): Ends {
    if (first !== undefined) this.#apart([first], folders);
    return this.#fed(() => this.#apart(others, folders));
  }

  #fed<T>(walk: () => T): T {
    const outer = this.#isFed;
    this.#isFed = true;
    try {
      return walk();
    } finally {
      this.#isFed = outer;
    }
  }

  /** Each in a shell of its own: where it goes is nothing to what follows. */
  #apart(nodes: readonly SyntaxNode[], folders: Folders): Ends {
    for (const node of nodes) this.#node(node, folders);
    return stay(folders);
  }

  #andOr({ commands, operators }: NodeOf<"AndOr">, folders: Folders): Ends {
    let ends = stay(folders);
    for (const [index, command] of commands.entries()) {
      const operator = operators[index - 1];
      if (operator === undefined) ends = this.#node(command, folders);
      else if (operator === "&&") {
        const { ok, fail } = this.#node(command, ends.ok);
        ends = { ok, fail: either(ends.fail, fail) };
      } else {
        const { ok, fail } = this.#node(command, ends.fail);
        ends = { ok: either(ends.ok, ok), fail };
      }
    }
    return ends;
  }

  #if(
    branches: readonly Pick<NodeOf<"Elif">, "clause" | "then">[],
    last: NodeOf<"CompoundList"> | undefined,
    folders: Folders,
  ): Ends {
    let before = folders;
    let reached: Folders = [];
    for (const { clause, then } of branches) {
      const { ok, fail } = this.#node(clause, before);
      reached = either(reached, after(this.#node(then, ok)));
      before = fail;
    }
    return stay(either(reached, last === undefined ? before : after(this.#node(last, before))));
  }

  /** A body that goes elsewhere begins, the second time, where it went. */
  #loop(whole: SyntaxNode, bodies: readonly SyntaxNode[], folders: Folders): Ends {
    const held = this.#moves(whole) ? undefined : folders;
    for (const body of bodies) this.#node(body, held);
    return stay(held);
  }

  #case(node: NodeOf<"Case">, folders: Folders): Ends {
    this.#bare(node, folders, { within: [node.word, ...node.items.flatMap(({ pattern }) => pattern)] });
    let reached = folders;
    for (const { body } of node.items) reached = either(reached, after(this.#node(body, reached)));
    return stay(reached);
  }

  #moves(node: SyntaxNode): boolean {
    let found = node.type === "Command" && !this.#staysHere(node.name, node.suffix);
    forEachChild(node, (child) => {
      found ||= this.#moves(child);
    });
    return found;
  }

  #staysHere(name: Word | undefined, suffix: NodeOf<"Command">["suffix"]): boolean {
    if (name === undefined) return true;
    const words = [name, ...suffix.filter((one) => one.type === "Word")].map((word) => fixedValue(word, this.#home));
    return !words.some((word, index) => (index === 0 && word === null) || isMover(word) || this.#isFunction(word));
  }

  #isFunction(word: string | null | undefined): boolean {
    return typeof word === "string" && this.#functions.has(word);
  }

  /** Adds the parts that belong to no simple command: the words of a loop, a test, redirections of a group. */
  #bare(node: SyntaxNode, folders: Folders, bare: Bare): void {
    const { argv = [], files = [], names = [], redirects = [], within = [] } = bare;
    const hidden = within.map((one) => hiddenIn(one, this.#source, forEachChild, this.#variables));
    const troubles = hidden.flatMap((one) => one.troubles);
    if (argv.length + names.length + redirects.length + troubles.length > 0) {
      const text = this.#source.slice((within[0] ?? node).pos, (within.at(-1) ?? node).end);
      const assignments = names.map((name) => ({ name }));
      const words = { argv, assignments, redirects, troubles, files };
      this.#add(plainCommand(text, words, this.#standing(folders)));
    }
    this.#scripts(hidden, folders);
  }

  #command(node: NodeOf<"Command">, folders: Folders): Ends {
    const at = this.commands.length;
    const hidden = hiddenIn(node, this.#source, forEachChild, this.#variables);
    const here = staysByName(node) && !this.#setsFolder ? onlyFolder(folders) : undefined;
    const argv = here === undefined ? wordsOf(node, this.#home) : ["cd", here];
    const text = this.#source.slice(node.pos, node.end);
    const open = here === undefined ? openWords(node, this.#home) : [];
    const words = {
      argv,
      assignments: assignmentsOf(node),
      redirects: node.redirects,
      troubles: hidden.troubles,
      open,
    };
    this.#add(plainCommand(text, words, this.#standing(folders)));
    this.#scripts([hidden], folders);
    return this.#run(at, folders);
  }

  /** Walks through the commands that the one at a place starts, and returns the folders in which the shell stands after it. */
  #run(at: number, folders: Folders): Ends {
    const { argv = [], understood = false } = this.commands[at] ?? {};
    const started = startedBy(argv);
    this.#depth += 1;
    if (this.#depth > limits.commandNesting.most) throw new TooMuch(shellDoubts.deep_starts(limits.commandNesting));
    const ends = started.map((one) => this.#start(one, at, folders));
    this.#depth -= 1;
    if (isMover(argv[0])) return moved(argv, folders, this.#home);
    const [first] = ends;
    const isKnown = understood && !this.#isFunction(argv[0]);
    return isKnown ? (isTransparent(argv[0]) && first !== undefined ? first : stay(folders)) : stay(undefined);
  }

  #start(started: Started, by: number, folders: Folders): Ends {
    if (started.kind === "unknown") this.#doubt(by, started.why);
    else if (started.kind === "words") {
      const { words, assignments = [], isElsewhere = false, folder } = started;
      const inside = isElsewhere ? undefined : folder === undefined ? folders : sentTo(folder, folders);
      const at = this.commands.length;
      const text = words.map((word) => word ?? "…").join(" ");
      const plain = plainCommand(
        text,
        { argv: [...words], assignments, redirects: [], troubles: [] },
        this.#standing(inside),
      );
      this.#add({ ...plain, startedBy: by });
      return this.#run(at, inside);
    } else return this.#code(started, by, folders);
    return stay(folders);
  }

  /** A text that another shell reads is read as bash's, where both read it alike. */
  #code({ code, reader }: Extract<Started, { kind: "code" }>, by: number, folders: Folders): Ends {
    const isAlike = reader === "bash" || isPlainCode(code);
    const refusal = findRefusal(code) ?? (isAlike ? undefined : shellDoubts.other_shell({ word: reader }));
    if (refusal !== undefined) this.#doubt(by, refusal);
    const outer = this.#source;
    const from = this.commands.length;
    this.#source = code;
    let ends = stay(folders);
    try {
      const script = parse(code);
      this.refusal ??= findUnquotedBlank(script, code);
      this.#lookAhead(script);
      const unplain = findUnplain(script, code);
      if (unplain !== undefined) this.#doubt(by, unplain);
      this.isUnsureInOlder ||= isUnsureInOlder(code);
      ends = this.#script(script, folders);
    } catch (error) {
      if (isAlike || !(error instanceof NotParsed)) throw error;
    }
    this.#source = outer;
    for (const command of this.commands.slice(from)) command.startedBy ??= by;
    return ends;
  }

  #add(command: PlannedCommand): void {
    if (this.commands.length >= limits.commandParts.most)
      throw new TooMuch(shellDoubts.many_starts(limits.commandParts));
    this.commands.push(this.#isFed ? { ...command, isFed: true } : command);
  }

  #doubt(at: number, why: string): void {
    const command = this.commands[at];
    if (command === undefined) return;
    command.understood = false;
    command.why ??= why;
  }

  #standing(folders: Folders): LineState {
    const known = { variables: this.#variables, isLoose: this.#isLoose, left: this.#left };
    const own = { folders, home: this.#home, place: this.#place, functions: this.#functions };
    return { ...own, ...known, binder: this.binder };
  }

  /** Goes into the programs that expansions hold. */
  #scripts(hidden: readonly Hidden[], folders: Folders): void {
    for (const script of hidden.flatMap(({ scripts }) => scripts)) this.#fed(() => this.#script(script, folders));
  }
}

/** Words by which bash is told to match names in other ways. */
const loosens = /dotglob|nocaseglob|globstar|GLOBIGNORE|BASHOPTS/u;

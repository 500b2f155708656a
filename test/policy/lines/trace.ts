import { readFileSync } from "node:fs";

/** What a line may touch, and what it must not. */
export interface TracePlaces {
  /** Folders in which a line may keep what it needs for a moment. */
  own: readonly string[];
  /** In them nothing is the line's own, whatever is said of folders around them. */
  kept: readonly string[];
  /** Files that must not be read: absolute. */
  closed: ReadonlySet<string>;
  /** There is no network. */
  isCutOff: boolean;
}

interface Call {
  pid: number;
  name: string;
  text: string;
  /** What it gave back; negative where it failed. */
  gave: number;
}

/** The system calls that are looked at. */
export const tracedCalls =
  `execve,execveat,clone,clone3,fork,vfork,open,openat,openat2,creat,read,pread64,readv,preadv,preadv2,mmap,sendfile,copy_file_range,splice,
  rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat,mknod,mknodat,truncate,ftruncate,
  chmod,fchmod,fchmodat,chown,fchown,lchown,fchownat,utimensat,setxattr,lsetxattr,fsetxattr,socket,socketpair,
  bind,listen,connect,sendto,sendmsg,sendmmsg`.replaceAll(/\s+/gu, "");

const begins = /^(?<pid>\d+) +(?<text>(?<name>\w+)\(.*)$/su;
const goesOn = /^(?<pid>\d+) +<\.\.\. \w+ resumed>(?<text>.*)$/su;
/** The last of them: text of the call may look so too. */
const ends = /^.*\) += (?<gave>-?\d+|0x[0-9a-f]+|\?)/su;

/** The calls of a trace in the order of their ends. */
function callsOf(file: string): Call[] {
  const open = new Map<string, string>();
  const calls: Call[] = [];
  for (const row of readFileSync(file, "utf8").split("\n")) {
    const again = goesOn.exec(row)?.groups;
    const first = again === undefined ? begins.exec(row)?.groups : undefined;
    const pid = again?.["pid"] ?? first?.["pid"];
    if (pid === undefined) continue;
    const text = again === undefined ? (first?.["text"] ?? "") : `${open.get(pid) ?? ""}${again["text"] ?? ""}`;
    if (text.endsWith("<unfinished ...>")) {
      open.set(pid, text.slice(0, -"<unfinished ...>".length));
      continue;
    }
    open.delete(pid);
    const gave = ends.exec(text)?.groups?.["gave"] ?? "?";
    calls.push({ pid: Number(pid), name: /^\w+/u.exec(text)?.[0] ?? "", text, gave: gave === "?" ? -1 : Number(gave) });
  }
  return calls;
}

const starts = /^(?:clone3?|fork|vfork)$/u;
/** As the tool starts bash. */
const isLine = ({ name, text, gave }: Call): boolean => name === "execve" && gave === 0 && givenLine.test(text);
const givenLine = /^execve\("[^"]*\/bash", \["[^"]*", "--noprofile", "--norc", "-O", "extglob", "-c", "--"/u;

/** The calls of each line that was run, one after another: of the bash that got it and of all that this started. */
export function linesOf(file: string): Call[][] {
  const calls = callsOf(file);
  const parents = new Map<number, number>();
  for (const { pid, name, text, gave } of calls) {
    if (!starts.test(name) || gave <= 0) continue;
    // In a namespace of its own a process has another number there.
    const translated = /\/\* (\d+) in strace's PID NS \*\//u.exec(text)?.[1];
    parents.set(translated === undefined ? gave : Number(translated), pid);
  }
  const roots = new Map<number, number>();
  const lines: Call[][] = [];
  const rootOf = (pid: number | undefined): number | undefined => {
    for (let at = pid; at !== undefined; at = parents.get(at)) if (roots.has(at)) return roots.get(at);
    return undefined;
  };
  for (const call of calls) {
    if (isLine(call)) {
      roots.set(call.pid, lines.length);
      lines.push([]);
    } else {
      const line = rootOf(call.pid);
      if (line !== undefined) lines[line]?.push(call);
    }
  }
  return lines;
}

const writes = /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC/u;
const changes =
  /^(?:rename|unlink|mkdir|rmdir|link|symlink|mknod|truncate|ftruncate|f?chmod|[fl]?chown|utimensat|[lf]?setxattr)/u;
const reads = /^(?:read|pread|mmap|sendfile|copy_file_range|splice)/u;
const fileOf = (text: string): string | undefined => /^\w+\((?:[^<"]*)<([^>]*)>/u.exec(text)?.[1];
const openedFile = (text: string): string | undefined => /\) += \d+<(.*?)>(?:\(deleted\))?$/su.exec(text)?.[1];
/** The C library asks a daemon of the system who a user is. */
const asksForNames = /"\/(?:var\/)?run\/nscd\/socket"|"\/var\/lib\/sss\/pipes\/nss"/u;

/**
 * What a line did beyond reading what it may read. Each socket counts, but for those of which the trace shows that they reach nobody: they ask
 * the system's own daemon for the names of users, or the kernel for this machine's addresses (`npm`, of which one may be set as `local-address`), or,
 * where there is no network, whether there is IPv6 (urllib3, by a socket that it binds to this machine and closes again: `pip`).
 */
export function offences(calls: readonly Call[], places: TracePlaces): string[] {
  const found: string[] = [];
  for (const [at, call] of calls.entries()) {
    const { name, text, gave } = call;
    if (gave < 0) continue;
    if (/^(?:open|openat|openat2|creat)$/u.test(name) && (name === "creat" || writes.test(text))) {
      const path = openedFile(text);
      if (path === undefined || !isOwn(path, places)) found.push(`opened for writing: ${text}`);
    } else if (changes.test(name)) {
      const named = [...text.matchAll(/"((?:[^"\\]|\\.)*)"/gu)].map(([, path = ""]) => path);
      const own = named.length > 0 ? named : [fileOf(text) ?? ""];
      if (!own.every((path) => isOwn(path, places))) found.push(`changed: ${text}`);
    } else if (reads.test(name) && isOfClosed(call, places)) found.push(`read what is closed: ${text}`);
    else if (name === "socket" && !reachesNobody(calls, at, places)) found.push(`socket: ${text}`);
  }
  return found;
}

function reachesNobody(calls: readonly Call[], at: number, { isCutOff }: TracePlaces): boolean {
  const text = calls[at]?.text ?? "";
  const socket = /= \d+<(socket:\[\d+\])>/u.exec(text)?.[1];
  if (socket === undefined) return false;
  const uses = calls.slice(at + 1).filter((call) => speaks.test(call.name) && call.text.includes(`<${socket}>`));
  if (text.includes("AF_UNIX"))
    return uses.length > 0 && uses.every(({ name, text: said }) => name !== "connect" || asksForNames.test(said));
  if (/AF_NETLINK, \w+(?:\|SOCK_CLOEXEC)?, NETLINK_ROUTE/u.test(text))
    return uses.length > 0 && uses.every(({ name, text: said }) => name === "bind" || onlyAsksKernel(said));
  const isOwn = ({ name, text: said }: Call): boolean => name === "bind" && bindsHere.test(said);
  return isCutOff && text.includes("AF_INET6") && uses.every(isOwn);
}

const speaks = /^(?:bind|listen|connect|sendto|sendmsg|sendmmsg)$/u;
/** A message asks the kernel for all links or addresses, and changes none; from another network strace tells it by numbers. */
const onlyAsksKernel = (text: string): boolean =>
  /nlmsg_type=(?:RTM_GETLINK|RTM_GETADDR|0x12 .*?|0x16 .*?), nlmsg_flags=NLM_F_REQUEST\|(?:NLM_F_DUMP|0x300),/u.test(
    text,
  ) && (text.match(/nlmsg_type=/gu) ?? []).length === 1;
const bindsHere = /sin6_port=htons\(0\).*inet_pton\(AF_INET6, "::1"/u;

/** Where nothing outside of the box is seen, a JVM says by this file what of itself would be kept if it crashed. */
const ofProcess = /^\/proc\/\d+\/coredump_filter$/u;

const isOwn = (path: string, { own, kept, isCutOff }: TracePlaces): boolean =>
  /^\/dev\/(?:null|tty|pts\/\d+)$|^pipe:/u.test(path) ||
  (isCutOff && ofProcess.test(path)) ||
  (own.some((folder) => path.startsWith(`${folder}/`)) && !kept.some((folder) => `${path}/`.startsWith(`${folder}/`)));

function isOfClosed({ name, text, gave }: Call, { closed }: TracePlaces): boolean {
  if (name !== "mmap" && gave === 0) return false;
  return [...text.matchAll(/\d+<([^>]*)>/gu)].some(([, path = ""]) => closed.has(path));
}

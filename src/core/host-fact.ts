/** One host that a call would speak to. */
export interface HostFact {
  /** A name or address as a URL has it: ASCII, lower case, without brackets or a dot at its end. */
  host: string;
  /** Absent where it is not known, or where there is none that matters. */
  port?: number;
  /**
   * The range that it leads to, if not to a public address: this machine, a network that is not the internet's, or one where no call may go
   * (link-local, where clouds keep credentials). Absent too for a name that was not looked up: then only public addresses are
   * connected to.
   */
  range?: "loopback" | "private" | "forbidden";
  /** Those that are connected to, and no others; where `range` is given. */
  addresses?: string[];
}

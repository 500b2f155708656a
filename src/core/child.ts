/** One process, told apart from every other that had or will have its number. Plain data. */
export interface ProcessIdentity {
  pid: number;
  /** Host name and pid namespace: process numbers mean something only there. */
  host: string;
  /** Empty where the system does not tell (not Linux). */
  boot: string;
  /** Ticks since boot, as text; empty where the system does not tell, and for a process that is gone. */
  started: string;
}

/**
 * A process that a call started, the leader of a process group of its own; kept with the call before the process does
 * anything, so that whoever comes later can make sure that nothing of it is left.
 */
export interface ChildNote extends ProcessIdentity {
  /** In the environment of the process and of all it starts (`HOLDFAST_CHILD`): tells them from strangers. */
  mark: string;
}

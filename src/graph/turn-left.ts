/** Thrown out of a node when the process is leaving: the graph stays at that node, and a resumed session begins there. */
export class TurnLeft extends Error {
  override readonly name = "TurnLeft";
}

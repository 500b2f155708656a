/** Thrown out of a node when the process is leaving: the graph stays at that node, and a resumed session begins there. */
export class TurnLeft extends Error {
  override readonly name = "TurnLeft";
}

/** @throws TurnLeft where the process is leaving */
export function stayUnlessLeaving({ leaving }: { readonly leaving: boolean }): void {
  if (leaving) throw new TurnLeft();
}

import { PartBox, type PartProps } from "../draw/rows.tsx";

/** The talk that still comes. */
export const Talk = (props: PartProps) => <PartBox {...props} />;

/** The calls that are not settled. */
export const Cards = (props: PartProps) => <PartBox {...props} />;

/** The messages that wait. */
export const Queue = (props: PartProps) => <PartBox {...props} />;

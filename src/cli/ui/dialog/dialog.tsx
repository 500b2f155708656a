import { PartBox, type PartProps } from "../draw/rows.tsx";

/** One call that waits for the person. */
export const Dialog = (props: PartProps) => <PartBox {...props} />;

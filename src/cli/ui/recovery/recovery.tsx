import { PartBox, type PartProps } from "../draw/rows.tsx";

/** One call whose end was not seen. */
export const Recovery = (props: PartProps) => <PartBox {...props} />;

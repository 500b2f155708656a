import { PartBox, type PartProps } from "../draw/rows.tsx";

/** What somebody else asks the person. */
export const FormPart = (props: PartProps) => <PartBox {...props} />;

import { PartBox, type PartProps } from "../draw/rows.tsx";

/** The form by which somebody else asks the person. */
export const FormPart = (props: PartProps) => <PartBox {...props} />;

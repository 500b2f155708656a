import { PartBox, type PartProps } from "../draw/rows.tsx";

/** The line about the present state. */
export const StatusLine = (props: PartProps) => <PartBox {...props} />;

/** The last row of the screen: the person's place. */
export const Footer = (props: PartProps) => <PartBox {...props} />;

import { PartBox, type PartProps } from "../draw/rows.tsx";

/** What happens now. */
export const StatusLine = (props: PartProps) => <PartBox {...props} />;

/** Where the person is: the last row of the screen. */
export const Footer = (props: PartProps) => <PartBox {...props} />;

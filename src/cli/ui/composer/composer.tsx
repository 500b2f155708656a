import { PartBox, type PartProps } from "../draw/rows.tsx";

/** The input that the person writes in. */
export const Composer = (props: PartProps) => <PartBox {...props} />;

/** Names that fit what is being typed. */
export const Popup = (props: PartProps) => <PartBox {...props} />;

/** The draft that is kept while a question is on the screen. */
export const Draft = (props: PartProps) => <PartBox {...props} />;

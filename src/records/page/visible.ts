/** The forms in which hidden characters are shown: in text of several lines, and in one line. */
export interface Visible {
  block(text: string): string;
  line(text: string): string;
}

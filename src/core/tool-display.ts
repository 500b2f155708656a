/** The names that people read in the place of a tool's name and of its parameters' names, in one language. */
export interface ToolDisplay {
  name: string;
  params?: Record<string, string>;
}

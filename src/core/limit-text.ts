export const kB = 1000;
export const MB = 1000 * kB;
export const second = 1000;
export const minute = 60 * second;

export interface Limit {
  /** The name of the thing that is counted, for people. */
  what: string;
  most: number;
  unit: keyof typeof units;
  /** The reason for a limit, for this very one, and its consequence past it. */
  why: string;
}

const units = {
  bytes: (most: number) =>
    most % MB === 0 ? `${most / MB} MB` : most % 1024 === 0 ? `${most / 1024} KiB` : `${most / kB} kB`,
  ms: (most: number) => {
    if (most % (60 * minute) === 0) return `${most / (60 * minute)} h`;
    return most % minute === 0 ? `${most / minute} min` : `${most / second} s`;
  },
  characters: (most: number) => `${most} characters`,
  levels: (most: number) => `${most} levels`,
  calls: (most: number) => `${most} calls`,
  programs: (most: number) => `${most} programs`,
  lines: (most: number) => `${most} lines`,
  words: (most: number) => `${most} words`,
  files: (most: number) => `${most} files`,
  texts: (most: number) => `${most} texts`,
  versions: (most: number) => `${most} versions`,
  places: (most: number) => `${most} places`,
  times: (most: number) => `${most} times`,
  patterns: (most: number) => `${most} patterns`,
  pixels: (most: number) => `${most / 1_000_000} million pixels`,
  helpers: (most: number) => `${most} helpers`,
  tools: (most: number) => `${most} tools`,
  servers: (most: number) => `${most} servers`,
  pages: (most: number) => `${most} pages`,
  questions: (most: number) => `${most} questions`,
  fields: (most: number) => `${most} fields`,
  resources: (most: number) => `${most} resources`,
  parts: (most: number) => `${most} parts`,
  tokens: (most: number) => `${most} tokens`,
  prompts: (most: number) => `${most} prompts`,
  choices: (most: number) => `${most} choices`,
};

/** A limit's figure as people read it, e.g. "4 MB" or "10 min". */
export const limitText = ({ most, unit }: Limit): string => units[unit](most);

import type { CreateRenderer } from '../renderer.ts';

/** What decides how others treat a format: they ask for these facts, never for its name. */
export interface Format {
  readonly name: string;
  /** Read by programs, as JSON. Then what stands on stderr is JSON too. */
  readonly forPrograms: boolean;
  /** Drawn for people. */
  readonly forPeople: boolean;
  /** One JSON document with everything in it. */
  readonly isDocument: boolean;
  /** Whether `--query` can look into its values. */
  readonly takesQuery: boolean;
  /** Whether the rows of a write over several things are printed one by one, as they become certain. */
  readonly inTurn: boolean;
  /** Loads what prints it. */
  load(): Promise<CreateRenderer>;
}

const USUAL = {
  forPrograms: false,
  forPeople: false,
  isDocument: false,
  takesQuery: false,
  inTurn: true,
} as const;

const ROWS = {
  table: {
    ...USUAL,
    name: 'table',
    forPeople: true,
    inTurn: false,
    load: async () => (await import('./table.ts')).createTable,
  },
  tsv: { ...USUAL, name: 'tsv', load: async () => (await import('./tsv.ts')).createTsv },
  csv: { ...USUAL, name: 'csv', load: async () => (await import('./csv.ts')).createCsv },
  json: {
    ...USUAL,
    name: 'json',
    forPrograms: true,
    isDocument: true,
    takesQuery: true,
    load: async () => (await import('./json.ts')).createJson,
  },
  ndjson: {
    ...USUAL,
    name: 'ndjson',
    forPrograms: true,
    takesQuery: true,
    load: async () => (await import('./ndjson.ts')).createNdjson,
  },
  markdown: {
    ...USUAL,
    name: 'markdown',
    inTurn: false,
    load: async () => (await import('./markdown.ts')).createMarkdown,
  },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof ROWS;

export const FORMATS: Readonly<Record<FormatName, Format>> = ROWS;

export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];

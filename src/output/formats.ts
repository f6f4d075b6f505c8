import type { Renderer, RenderOptions } from './renderer.ts';

export interface Format {
  load(): Promise<(options: RenderOptions) => Renderer>;
  /** Rows are printed as they arrive, not at the end. */
  isStreamed: boolean;
  isJson?: boolean;
}

export const FORMATS = {
  table: { load: async () => (await import('./formats/table.ts')).createTable, isStreamed: false },
  tsv: { load: async () => (await import('./formats/tsv.ts')).createTsv, isStreamed: true },
  csv: { load: async () => (await import('./formats/csv.ts')).createCsv, isStreamed: true },
  json: { load: async () => (await import('./formats/json.ts')).createJson, isStreamed: false, isJson: true },
  ndjson: { load: async () => (await import('./formats/ndjson.ts')).createNdjson, isStreamed: true, isJson: true },
  markdown: { load: async () => (await import('./formats/markdown.ts')).createMarkdown, isStreamed: true },
  html: { load: async () => (await import('./formats/html.ts')).createHtml, isStreamed: false },
} satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];

export const FORMATS = ['table', 'tsv', 'csv', 'json', 'ndjson', 'jsonapi'] as const;
export type Format = (typeof FORMATS)[number];

/** The formats made for programs: text of the service unchanged, errors as JSON. */
export function isMachineFormat(format: Format): boolean {
  return format === 'json' || format === 'ndjson' || format === 'jsonapi';
}

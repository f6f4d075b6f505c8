import { stringify } from 'csv-stringify/sync';
import { markFormulas } from '../../lib/text.ts';
import { formatPlain, listPlainFields } from '../columns.ts';
import { createStreamed, type Renderer } from '../renderer.ts';

export function createCsv(): Renderer {
  const print = (cells: string[]): string => stringify([cells.map(markFormulas)]);
  return createStreamed(
    (columns) => print(listPlainFields(columns)),
    (columns, record) => print(formatPlain(columns, record)),
    true,
  );
}

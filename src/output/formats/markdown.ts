import { formatCell } from '../columns.ts';
import { createStreamed, type Renderer, type RenderOptions } from '../renderer.ts';

export function createMarkdown({ now }: RenderOptions): Renderer {
  // A name is text: no link, picture or element.
  const escapeCell = (cell: string): string => cell.replace(/[\\|[<`*]/g, '\\$&');
  const print = (cells: string[]): string => `| ${cells.map(escapeCell).join(' | ')} |\n`;
  return createStreamed(
    (columns) =>
      print(columns.map(({ header }) => header)) + print(columns.map(({ align }) => (align ? '---:' : '---'))),
    (columns, record) => print(columns.map((column) => formatCell(column, record, now()))),
  );
}

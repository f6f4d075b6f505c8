import { formatCell } from '../columns.ts';
import { createStreamed, type Renderer, type RenderOptions } from '../renderer.ts';

export function createMarkdown({ now }: RenderOptions): Renderer {
  const print = (cells: string[]): string => `| ${cells.map((cell) => cell.replace(/[\\|]/g, '\\$&')).join(' | ')} |\n`;
  return createStreamed(
    (columns) =>
      print(columns.map(({ header }) => header)) + print(columns.map(({ align }) => (align ? '---:' : '---'))),
    (columns, record) => print(columns.map((column) => formatCell(column, record, now()))),
  );
}

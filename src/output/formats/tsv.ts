import { formatPlain } from '../columns.ts';
import { createStreamed, type Renderer } from '../renderer.ts';

export function createTsv(): Renderer {
  return createStreamed(
    () => '',
    (columns, record) => `${formatPlain(columns, record).join('\t')}\n`,
  );
}

import { join } from 'node:path';
import { renderAssumptions } from './assumptions.mjs';

const ASSUMED = '<!-- assumed -->';

/** For the build and for tests of sources: a topic written in Markdown is imported as its text. */
export function markdownText() {
  return {
    name: 'markdown-text',
    transform(code, id) {
      if (!id.endsWith('.md')) return undefined;
      const text = code.replace(ASSUMED, () => renderAssumptions(join(import.meta.dirname, '..')));
      return { code: `export default ${JSON.stringify(text)};`, map: null, moduleType: 'js' };
    },
  };
}

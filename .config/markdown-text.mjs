/** For the build and for tests of sources: a topic written in Markdown is imported as its text. */
export function markdownText() {
  return {
    name: 'markdown-text',
    transform: (code, id) =>
      id.endsWith('.md') ? { code: `export default ${JSON.stringify(code)};`, map: null, moduleType: 'js' } : undefined,
  };
}

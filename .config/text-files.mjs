const TEXT = /\.(md|html|sql|bash|zsh|fish|ps1)$/;

/** For the build and for tests of sources: what is written in another language than TypeScript is imported as its text. */
export function textFiles() {
  return {
    name: 'text-files',
    transform: (code, id) =>
      TEXT.test(id) ? { code: `export default ${JSON.stringify(code)};`, map: null, moduleType: 'js' } : undefined,
  };
}

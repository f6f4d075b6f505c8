declare module '*.md' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: a text has no names to export.
  export default text;
}
declare module '*.html' {
  export { default } from '*.md';
}
declare module '*.sql' {
  export { default } from '*.md';
}
declare module '*.bash';
declare module '*.zsh';
declare module '*.fish';
declare module '*.ps1';

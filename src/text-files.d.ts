declare module '*.md' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: a text has no names to export.
  export default text;
}
declare module '*.html' {
  export { default } from '*.md';
}
declare module '*.bash' {
  export { default } from '*.md';
}
declare module '*.zsh' {
  export { default } from '*.md';
}
declare module '*.fish' {
  export { default } from '*.md';
}
declare module '*.ps1' {
  export { default } from '*.md';
}

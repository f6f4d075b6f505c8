declare module '*.md' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: a text has no names to export.
  export default text;
}

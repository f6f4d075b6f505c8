/** A text as one word of this platform's shell, for commands that people paste: PowerShell on Windows, else a POSIX shell. */
export function toShellWord(text: string, platform: NodeJS.Platform): string {
  // PowerShell makes an array of what a comma is in, and looks for a variable behind @.
  if (platform === 'win32') return /^[\w%+=:.\\/-]+$/.test(text) ? text : `'${text.replaceAll("'", "''")}'`;
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

// PowerShell takes each of these for a quotation mark. Within quotes two of them mean one.
const POWERSHELL_QUOTES = /['\u2018-\u201b]/g;

/** A text as one word of this platform's shell, for commands that people paste: PowerShell on Windows, else a POSIX shell or fish. */
export function toShellWord(text: string, platform: NodeJS.Platform): string {
  // PowerShell makes an array of what a comma is in, and looks for a variable behind @.
  if (platform === 'win32') {
    return /^[\w%+=:.\\/-]+$/.test(text) ? text : `'${text.replace(POWERSHELL_QUOTES, '$&$&')}'`;
  }
  // In fish a backslash is read even in quotes, and zsh looks for a command behind = at the beginning.
  return /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replace(/['\\]/g, "'\\$&'")}'`;
}

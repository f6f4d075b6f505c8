/** The shells there are scripts for. Apart from the scripts, which are loaded when one is asked for. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

export type ShellName = (typeof SHELLS)[number];

import type { ShellName } from './shells.ts';

/**
 * A word as it would reach a program, from the way it is typed. bash and PowerShell hand words over as they are typed,
 * fish does so with the last one. A quote that is still open ends with the word. Nothing is expanded.
 */
export function unquote(word: string, shell: ShellName): string {
  if (shell === 'zsh') return word;
  const escaper = shell === 'powershell' ? '`' : '\\';
  let text = '';
  let quote = '';
  for (let at = 0; at < word.length; at += 1) {
    const character = word.charAt(at);
    if (character === escaper && quote !== "'") {
      at += 1;
      text += word.charAt(at);
    } else if (character === quote) quote = '';
    else if (quote === '' && (character === '"' || character === "'")) quote = character;
    else text += character;
  }
  return text;
}

import { type Host, type HostOutput, isInCi } from '../host.ts';

/** Web addresses as links (OSC 8), where a terminal is known to follow them. Elsewhere some print the sequence as text. */

/** From which version on; none where every version does. By TERM_PROGRAM. */
const PROGRAMS: Readonly<Record<string, readonly number[]>> = {
  'iTerm.app': [3, 1],
  // Its versions are dates.
  WezTerm: [20200620],
  vscode: [1, 72],
  ghostty: [],
  WarpTerminal: [],
  // tmux passes links on only to a terminal that it knows to take them.
  tmux: [3, 4],
};
const TERMS = new Set(['xterm-kitty', 'alacritty', 'xterm-ghostty', 'wezterm', 'foot', 'foot-extra']);
/** In thousands, as VTE counts: 0.50.1. Its predecessor crashed on a link. */
const VTE = 5001;
/** These draw the terminal themselves, so that what is said of the one around them does not count. */
const MULTIPLEXERS = /^(screen|tmux)/;

/** Whether links may be sent there. FORCE_HYPERLINK decides for terminals alone. */
export function takesLinks(host: Pick<Host, 'env'>, stream: HostOutput): boolean {
  const { env } = host;
  const { TERM: term = '', FORCE_HYPERLINK: force } = env;
  if (stream.isTTY !== true || term === 'dumb' || isInCi(host)) return false;
  if (force) return force !== '0' && force !== 'false';
  const program = env['TERM_PROGRAM'] ?? '';
  if (env['TMUX'] || env['STY'] || MULTIPLEXERS.test(term)) return program === 'tmux' && isNewEnough(env, program);
  return (
    TERMS.has(term) || Boolean(env['WT_SESSION']) || Number(env['VTE_VERSION']) >= VTE || isNewEnough(env, program)
  );
}

function isNewEnough(env: Host['env'], program: string): boolean {
  if (!Object.hasOwn(PROGRAMS, program)) return false;
  const version = (env['TERM_PROGRAM_VERSION'] ?? '').split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0);
  for (const [index, least] of (PROGRAMS[program] ?? []).entries()) {
    const part = version[index] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}

/** Longer ones are cut by terminals. */
const LONGEST = 2000;
const ADDRESS = /https:\/\/\S+/g;
/** All other characters have to be encoded in the target of a link. */
const PRINTABLE_ASCII = /^[!-~]+$/;
/** What closes the sentence around an address. Looked for from the start of a run of such marks alone. */
const AFTER = /(?<![.,;:!?)\]}>'"”'»…])[.,;:!?)\]}>'"”'»…]+$/;

/**
 * The same text, each web address in it a link to itself: it stays whole where the terminal breaks it in two. Addresses
 * of an API are left alone, since a browser shows nothing there. The text has to be safe for a terminal already.
 */
export function linkAddresses(text: string): string {
  return text.replace(ADDRESS, (found) => {
    if (found.length > LONGEST) return found;
    const address = found.replace(AFTER, '');
    if (!PRINTABLE_ASCII.test(address) || !URL.canParse(address)) return found;
    if (/^\/api(\/|$)/.test(new URL(address).pathname)) return found;
    return `\u001b]8;;${address}\u001b\\${address}\u001b]8;;\u001b\\${found.slice(address.length)}`;
  });
}

import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import type { HostOutput } from '../../src/host.ts';
import { linkAddresses, takesLinks } from '../../src/text/links.ts';

const terminal = { isTTY: true } as HostOutput;
const pipe = {} as HostOutput;
const IN_KITTY = { TERM: 'xterm-kitty' };

const toProgram = (name: string, version?: string) => ({
  TERM: 'xterm-256color',
  TERM_PROGRAM: name,
  ...(version === undefined ? {} : { TERM_PROGRAM_VERSION: version }),
});

describe('takesLinks', () => {
  it.each<[string, Record<string, string>, boolean]>([
    ['an unknown terminal', {}, false],
    ['an unknown terminal by name', { TERM: 'xterm-256color' }, false],
    ['an unknown program', toProgram('Apple_Terminal', '455.1'), false],
    ["a program called as an object's own names are", toProgram('constructor', '9'), false],
    ['kitty', IN_KITTY, true],
    ['alacritty', { TERM: 'alacritty' }, true],
    ['foot', { TERM: 'foot' }, true],
    ['ghostty', toProgram('ghostty', '1.0.0'), true],
    ['Windows Terminal', { WT_SESSION: '3b1c' }, true],
    ['a terminal of VTE', { TERM: 'xterm-256color', VTE_VERSION: '7402' }, true],
    ['the VTE that crashed', { VTE_VERSION: '5000' }, false],
    ['an old VTE', { VTE_VERSION: '4205' }, false],
    ['a VTE without a number', { VTE_VERSION: 'x' }, false],
    ['iTerm2', toProgram('iTerm.app', '3.5.10'), true],
    ['iTerm2 as it began to', toProgram('iTerm.app', '3.1'), true],
    ['an old iTerm2', toProgram('iTerm.app', '3.0.15'), false],
    ['iTerm2 without a version', toProgram('iTerm.app'), false],
    ['WezTerm', toProgram('WezTerm', '20240203-110809-5046fc22'), true],
    ['an old WezTerm', toProgram('WezTerm', '20200503-171512'), false],
    ['VS Code', toProgram('vscode', '1.104.2'), true],
    ['an old VS Code', toProgram('vscode', '1.71.9'), false],
    ['tmux', { ...toProgram('tmux', '3.4'), TMUX: '/tmp/tmux,1,0' }, true],
    ['tmux that lets no link through', { ...toProgram('tmux', '3.3a'), TMUX: '/tmp/tmux,1,0' }, false],
    ['an old tmux in a terminal that would', { TERM: 'screen-256color', TMUX: '/tmp/t', VTE_VERSION: '7402' }, false],
    ['screen in a terminal that would', { TERM: 'screen', STY: '1.pts', VTE_VERSION: '7402' }, false],
    ['screen by name alone', { TERM: 'screen.xterm-256color', WT_SESSION: '1' }, false],
    ['TERM=dumb', { TERM: 'dumb', VTE_VERSION: '7402' }, false],
    ['CI', { ...IN_KITTY, CI: 'true' }, false],
    ['NO_COLOR, which is not about links', { ...IN_KITTY, NO_COLOR: '1' }, true],
    ['FORCE_HYPERLINK=1', { FORCE_HYPERLINK: '1' }, true],
    ['FORCE_HYPERLINK=0', { ...IN_KITTY, FORCE_HYPERLINK: '0' }, false],
    ['FORCE_HYPERLINK=false', { ...IN_KITTY, FORCE_HYPERLINK: 'false' }, false],
    ['an empty FORCE_HYPERLINK', { ...IN_KITTY, FORCE_HYPERLINK: '' }, true],
    ['FORCE_HYPERLINK=1 with TERM=dumb', { TERM: 'dumb', FORCE_HYPERLINK: '1' }, false],
    ['FORCE_HYPERLINK=1 in CI', { CI: '1', FORCE_HYPERLINK: '1' }, false],
  ])('%s', (_name, env, expected) => {
    expect(takesLinks({ env }, terminal)).toBe(expected);
    expect(takesLinks({ env }, pipe)).toBe(false);
  });
});

const link = (address: string): string => `\u001b]8;;${address}\u001b\\${address}\u001b]8;;\u001b\\`;
const withoutLinks = (text: string): string => text.replaceAll(/\u001b\]8;;[!-~]*?\u001b\\/g, '');

describe('linkAddresses', () => {
  it.each<[text: string, shown: string]>([
    ['nothing to see', 'nothing to see'],
    ['see https://tfe.example/app/acme for more', `see ${link('https://tfe.example/app/acme')} for more`],
    ['https://a.example and https://b.example', `${link('https://a.example')} and ${link('https://b.example')}`],
    ['(see https://a.example/b?c=d#e).', `(see ${link('https://a.example/b?c=d#e')}).`],
    ['“https://a.example/b”', `“${link('https://a.example/b')}”`],
    ['https://a.example/ü is left alone', 'https://a.example/ü is left alone'],
    ['http://a.example is not safe', 'http://a.example is not safe'],
    ['file:///etc/passwd', 'file:///etc/passwd'],
    ['https://app.terraform.io/api/v2', 'https://app.terraform.io/api/v2'],
    ['https://app.terraform.io/api', 'https://app.terraform.io/api'],
    ['https://app.terraform.io/apis', link('https://app.terraform.io/apis')],
    ['https://', 'https://'],
    ['https://[', 'https://['],
    [`https://a.example/${'x'.repeat(2000)}`, `https://a.example/${'x'.repeat(2000)}`],
  ])('%j', (text, shown) => {
    expect(linkAddresses(text)).toBe(shown);
  });

  it('changes neither the text nor its width', () => {
    const piece = fc.oneof(
      fc.webUrl({ validSchemes: ['https', 'http'], withQueryParameters: true, withFragments: true }),
      fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/\p{Cc}/gu, ' ')),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join(' ');
        const linked = linkAddresses(text);
        expect(withoutLinks(linked)).toBe(text);
        expect(stringWidth(linked)).toBe(stringWidth(text));
      }),
    );
  });
});

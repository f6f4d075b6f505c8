import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { NOUNS } from '../../src/program.ts';
import { startFront } from '../support/front.ts';
import { serveOrgctl } from '../support/inside-shell.ts';
import { isInstalled } from '../support/programs.ts';
import type { After } from '../support/scripted.ts';
import { serve } from '../support/service.ts';
import { openBash, openFish, openZsh, type Shell } from '../support/shells.ts';
import { createPlace, type Environment } from '../support/shipped.ts';

/** Lines as they are typed up to Tab, and what the last word can become. */
const POSITIONS: [line: string, words: string[]][] = [
  ['orgctl ', [...NOUNS.map(([name]) => name), 'help']],
  ['orgctl mem', ['members']],
  ['orgctl feature-sets ', ['list', 'current']],
  ['orgctl members list --st', ['--status']],
  ['orgctl members list --status ', ['active', 'invited']],
  ['orgctl members list --status=in', ['--status=invited']],
  ['orgctl completion ', ['bash', 'zsh', 'fish', 'powershell']],
  ['orgctl audit-token rotate --to e', ['env-file:', 'exec:']],
  // From the service.
  ['orgctl members list --org g', ['globex']],
  ['orgctl members list --org acme,gl', ['acme,globex']],
  ['orgctl teams members pl', ['platform']],
  ['orgctl members invite ana@example.com --team=audit,pl', ['--team=audit,platform']],
  ['orgctl members remove mi', ['milo.member@example.com']],
  // Nothing is known.
  ['orgctl providers publish billing 1.2.0 --dir ce', ['certificate.pem']],
  ['orgctl providers publish billing 1.2.0 --dir=ce', ['--dir=certificate.pem']],
  ['orgctl audit-token rotate --to file:ce', ['file:certificate.pem']],
];

const KINDS = [
  { name: 'bash', open: openBash },
  { name: 'zsh', open: openZsh },
  { name: 'fish', open: openFish },
];
type Kind = (typeof KINDS)[number];

const served = await serve({}, afterAll);

/** A shell at work in a folder with one file. Its orgctl is this process. */
async function openShell({ open }: Kind, env: Environment, after: After) {
  const ends: Parameters<After>[0][] = [];
  // Before anything is awaited: a hook that is added when tests run already is never called.
  after(async () => {
    for (const end of ends.reverse()) await end();
  });
  const later: After = (end) => ends.push(end);
  const place = createPlace(later);
  const cwd = join(place.home, 'here');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'certificate.pem'), '');
  const path = [await serveOrgctl(place.home, later), place.env.PATH].join(delimiter);
  return { shell: await open({ place, env: { ...env, ...place.env, PATH: path }, cwd, after: later }), cwd };
}

/** What a shell runs. Some keep bytes as private characters: what is read back from those runs too. */
const HOSTILE = [
  ...['$(touch pwned)', '`touch pwned`', ';touch pwned;', '|touch pwned', '&touch pwned&', '>pwned', '\ntouch pwned\n'],
  ...[0xe000, 0xf600, 0x10000].map((base) =>
    Array.from('$(touch pwned)', (each) => String.fromCodePoint(base + each.charCodeAt(0))).join(''),
  ),
];
const ODD = '\'"$\\!~*?{},#^=@:%<()-\t \u0007\u001b\u0080\u202e\u2019\u3000\u00a0\u00e9x';
const NAME = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...HOSTILE, ...ODD, '!!', '[a]', '$HOME', "$'", '\\`pwned\\`'),
    fc.string({ unit: 'binary', maxLength: 3 }),
  ),
  minLength: 1,
  maxLength: 6,
});
const NAMES = fc.sample(NAME, { seed: 1, numRuns: 80 });
const TYPED = ['--team pl', '--team=pl', '--team "pl', "--team 'pl", "--team $'pl", '--team=p"l', '--team au,pl'];
/** A word that is not finished in the line before, and what ends it. */
const AROUND: [before: string, after: string][] = [
  ['"', '"'],
  ["'", "'"],
  ['`: ', '`'],
  ['"`: ', '`"'],
];

/** Accepts what is completed where there is one team, of this name. */
async function openWithTeam(kind: Kind, locale: string) {
  let team = '';
  const handle = async () => Response.json({ data: [{ id: 'team-1', type: 'teams', attributes: { name: team } }] });
  const { url } = await startFront({ handle });
  const env = { ORGCTL_BASE_URL: url, ORGCTL_TOKEN: 'a-token-of-tests', ORGCTL_ORG: 'acme', LC_ALL: locale };
  const { shell, cwd } = await openShell(kind, env, onTestFinished);
  return async (name: string, ...typed: Parameters<Shell['accept']>): Promise<string[]> => {
    team = name;
    const words = await shell.accept(...typed);
    expect(readdirSync(cwd), JSON.stringify({ name, typed, words })).toEqual(['certificate.pem']);
    return words;
  };
}

describe.each(KINDS)('$name', (kind) => {
  const isThere = isInstalled(kind.name, 'NO TEST COMPLETES IN IT');
  const opened = isThere ? openShell(kind, served.as('owner'), afterAll) : undefined;

  test.skipIf(!isThere).each(POSITIONS)('%s', async (line, words) => {
    const completed = await (await opened)?.shell.complete(line);
    expect([...(completed ?? [])].sort()).toEqual([...line.split(' ').slice(0, -1), ...words].sort());
  });

  test.skipIf(!isThere)('a place is typed on', async () => {
    const words = await (await opened)?.shell.accept('orgctl audit-token rotate --to exe\tx');
    expect(words?.at(-1)).toBe('exec:x');
  });

  test.skipIf(!isThere).each(['C', 'C.UTF-8'])('a name is one word, in %s', async (locale) => {
    const accept = await openWithTeam(kind, locale);
    for (const name of ['platform', 'pl a b', 'plén', 'pl:a=b@c,d%e+f']) {
      expect((await accept(name, 'orgctl tokens list --team pl')).slice(3)).toEqual(['--team', name]);
      expect((await accept(name, 'orgctl tokens list --team=pl')).slice(3)).toEqual([`--team=${name}`]);
    }
  });

  test.skipIf(!isThere)('nothing of a name is run', async () => {
    const accept = await openWithTeam(kind, 'C.UTF-8');
    // That is no quote in fish.
    const lines = TYPED.filter((typed) => kind.name !== 'fish' || !typed.includes("$'"));
    for (const [index, name] of NAMES.entries()) {
      await accept(`pl${name}`, `orgctl tokens list ${lines[index % lines.length]}`);
    }
  });

  test.skipIf(!isThere)('nothing of a name is run where a line goes on that no one can see', async () => {
    const accept = await openWithTeam(kind, 'C.UTF-8');
    for (const around of AROUND) {
      for (const each of HOSTILE.slice(0, 3)) {
        for (const name of [each, `'${each}'`, `"${each}"`, `\\${each}`, `$\\${each}`]) {
          await accept(`pl${name}`, 'orgctl tokens list --team pl', around);
        }
      }
    }
  });
});

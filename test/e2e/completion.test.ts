import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { toShellWord } from '../../src/old/input/shell-word.ts';
import { toPlainText } from '../../src/old/text/plain-text.ts';
import { NOUNS } from '../../src/program.ts';
import { startRecorder } from '../support/recorder.ts';
import { NOW, run } from '../support/run.ts';
import { serve } from '../support/served.ts';
import { isInstalled, openBash, openFish, openZsh, type Shell, serveOrgctl } from '../support/shells.ts';
import { createPlace, type Environment, orgctl, type Place, start } from '../support/shipped.ts';

/** Lines as they are typed up to Tab, and what the last word can become. */
const POSITIONS: readonly (readonly [line: string, words: readonly string[]])[] = [
  ['orgctl ', [...NOUNS.map(({ name }) => name), 'help']],
  ['orgctl mem', ['members']],
  ['orgctl feature-sets ', ['list', 'current']],
  ['orgctl members list --st', ['--status']],
  ['orgctl --dry-run members list --quiet --re', []],
  ['orgctl completion ', ['bash', 'zsh', 'fish', 'powershell']],
  ['orgctl audit-token rotate --to e', ['env-file:', 'exec:']],
  ['orgctl audit-token rotate --to file:ce', ['file:certificate.pem']],
  // From the service.
  ['orgctl tokens rotate team:platform/c', ['team:platform/ci']],
];

/** bash cuts words at =, and completes what is behind it. */
const KINDS = [
  { name: 'bash', open: openBash },
  { name: 'zsh', open: openZsh },
  { name: 'fish', open: openFish },
];
type Kind = (typeof KINDS)[number];

const pids: number[] = [];
const served = await serve(['--rate-limit', '0'], afterAll);

async function openShell(
  { open }: Kind,
  service: Environment,
  after: (act: () => Promise<void> | void) => void,
  { place, folder }: { readonly place: Place; readonly folder?: string } = { place: createPlace(after) },
) {
  const cwd = join(place.home, 'here');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'certificate.pem'), '');
  const path = [...(folder === undefined ? [] : [folder]), place.env['PATH']].join(delimiter);
  const env = { ...service, ...place.env, PATH: path };
  const ends: (() => Promise<void> | void)[] = [];
  // Before anything is awaited: a hook that is added when tests run already is never called.
  after(async () => {
    for (const end of ends) await end();
  });
  const shell = await open({ place, env, cwd, after: (end) => ends.push(end) });
  pids.push(shell.pid);
  return { shell, cwd };
}

/** What a shell runs. Some keep bytes as private characters: what is read back from those runs too. */
const HOSTILE = [
  ...['$(touch pwned)', '`touch pwned`', ';touch pwned;', '|touch pwned', '&touch pwned&', '>pwned', '\ntouch pwned\n'],
  ...[0xe000, 0xf600, 0x10000].map((base) =>
    Array.from('$(touch pwned)', (each) => String.fromCodePoint(base + each.charCodeAt(0))).join(''),
  ),
];
const ODD = '\'"$\\!~*?{},#^=@:%<()-\t \u0007\u001b\u0080\u202e\u2019\u3000\u00a0\u00e9x';
const SEED = 1;
const NAMES = 10;

/** A part that is typed, and what a name goes on with. */
const NAME = fc.tuple(
  fc.constantFrom('', 'pl'),
  fc.string({
    unit: fc.oneof(
      fc.constantFrom(...HOSTILE, ...ODD, '!!', '[a]', '$HOME', "$'", ':files '),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    minLength: 1,
    maxLength: 6,
  }),
);

type Typing = (part: string) => string;
const BARE: readonly Typing[] = [(part) => `--team ${part}`, (part) => `--team=${part}`];
const QUOTED: readonly Typing[] = ['"', "'", "$'"].flatMap((quote) => [
  (part: string) => `--team ${quote}${part}`,
  (part: string) => `--team=${quote}${part}`,
  (part: string) => `--team ${part.slice(0, 1)}${quote}${part.slice(1)}`,
]);
/** A word that is not finished in the line before, and what ends it. */
const AROUND = [
  ['"', '"'],
  ["'", "'"],
  ['`: ', '`'],
  ['"`: ', '`"'],
] as const;

/** Accepts what is completed where a team of this name is the only one, and sees that nothing was run. */
async function openWithTeam(kind: Kind, locale: string) {
  let [team, now] = ['', NOW];
  const { url } = await startRecorder({
    answer: () => ({ data: [{ id: 'team-1', type: 'teams', attributes: { name: team } }] }),
  });
  const place = createPlace();
  const env = { ORGCTL_BASE_URL: url, ORGCTL_TOKEN: 'a-token-of-tests', ORGCTL_ORG: 'acme' };
  const folder = await serveOrgctl({ place, after: onTestFinished }, async (argv) => {
    // Later than names are kept.
    now += 10 * 60 * 1000;
    return (await run(argv, { home: place.home, env, now })).stdout;
  });
  const { shell, cwd } = await openShell(kind, { LC_ALL: locale }, onTestFinished, { place, folder });
  return async (name: string, ...typed: Parameters<Shell['accept']>): Promise<readonly string[]> => {
    team = name;
    const words = await shell.accept(...typed);
    expect(readdirSync(cwd), JSON.stringify({ name, typed, words })).toEqual(['certificate.pem']);
    return words;
  };
}

describe.each(KINDS)('$name', (kind) => {
  const { name } = kind;
  const isThere = isInstalled(name);
  const opened = isThere ? openShell(kind, served.as('owner'), afterAll) : undefined;

  test.skipIf(!isThere).each(POSITIONS)('%s', async (line, words) => {
    const shell = (await opened)?.shell;
    const typed = line.split(' ').slice(0, -1);
    const completed = await shell?.complete(line);
    expect(completed?.slice(0, typed.length)).toEqual(typed);
    // What nothing can complete stays as it is; fish names completions only.
    const rest = completed?.slice(typed.length).filter((word) => words.length > 0 || !line.endsWith(word));
    expect(rest?.toSorted()).toEqual(words.toSorted());
  });

  test.skipIf(!isThere).each(['C', 'C.UTF-8'])('a name from the service is one literal word, in %s', async (locale) => {
    const accept = await openWithTeam(kind, locale);
    for (const [index, [part, rest]] of fc.sample(NAME, { seed: SEED, numRuns: NAMES }).entries()) {
      const isBare = index % 2 === 0;
      const type = isBare ? BARE[(index / 2) % BARE.length] : QUOTED[(index >> 1) % QUOTED.length];
      const typed = type?.(part) ?? '';
      // That is no quote in fish.
      if (name === 'fish' && typed.includes("$'")) continue;
      const whole = part + rest;
      const words = await accept(whole, `orgctl tokens list ${typed}`);
      const value = words
        .slice(3)
        .join('\n')
        .replace(/^--team[\n=]?/, '');
      const isOffered = isBare && toPlainText(whole) === whole && !/^[:~\s]|\s$/.test(whole);
      expect(isOffered ? [whole] : ['', part, `$${part}`, whole], JSON.stringify({ typed, whole })).toContain(value);
    }
  });

  test.skipIf(!isThere)('a name in a command that is printed is one literal word', async () => {
    const sample = fc.sample(NAME, { seed: SEED, numRuns: 10 * NAMES }).map((parts) => parts.join(''));
    const names = [...sample.filter((each) => !each.includes('\0')), 'a\\', '=ls'];
    const line = names.map((each) => toShellWord(each, 'linux')).join(' ');
    const { env } = createPlace();
    const { stdout } = await start(name, ['-c', `printf '%s\\0' ${line}`], { env: { ...env, LC_ALL: 'C.UTF-8' } })
      .ended;
    expect(stdout.split('\0').slice(0, -1)).toEqual(names);
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

test('every shell above has ended', () => {
  for (const pid of pids) expect(() => process.kill(pid, 0), String(pid)).toThrow('ESRCH');
});

test.skipIf(!isInstalled('fish'))('fish says nothing where orgctl is no longer installed', async () => {
  const { home, env } = createPlace();
  writeFileSync(join(home, 'script'), (await orgctl(['completion', 'fish'], { env })).stdout);
  const script = 'source script; set PATH; complete -C "orgctl mem"';
  expect(await start('fish', ['--no-config', '-c', script], { env, cwd: home }).ended).toMatchObject({
    stdout: '',
    stderr: '',
  });
});

test.skipIf(!isInstalled('zsh'))('zsh lists what words mean below each other, a line each', async () => {
  const { env } = createPlace();
  const { stdout: script } = await orgctl(['completion', 'zsh'], { env });
  const around = `COLUMNS=30 CURRENT=2 words=(orgctl --)
compdef() { :; }
compadd() { print -l -- $shown; }
orgctl() { printf '%s\\t%s\\n' --all 'Every one' --org 'The organization of a command'; echo --none; }
${script}
_orgctl`;
  const { stdout } = await start('zsh', ['-c', around], { env }).ended;
  expect(stdout).toBe('--all   -- Every one\n--org   -- The organization o\n--none\n');
});

describe('names from the service', () => {
  test('of the embedded service come with --sandbox', async () => {
    const { home, env } = createPlace();
    const argv = ['completion', 'bash', '--word=', '--', '--sandbox', 'tokens', 'list', '--team'];
    const { code, stdout } = await orgctl(argv, { env: { ...env } });
    expect({ code, words: stdout.split('\n').slice(0, 2) }).toEqual({ code: 0, words: ['owners', 'platform'] });
    expect(existsSync(join(home, '.local', 'state', 'orgctl', 'sandbox'))).toBe(true);
  });
});

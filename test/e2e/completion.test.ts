import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { NOUNS } from '../../src/nouns.ts';
import { FORMAT_NAMES } from '../../src/stdout/formats/index.ts';
import { startRecorder } from '../support/recorder.ts';
import { type Served, serve } from '../support/served.ts';
import { isInstalled, openBash, openFish, openZsh } from '../support/shells.ts';
import { createPlace, type Environment, orgctl } from '../support/shipped.ts';

/** Lines as they are typed up to Tab, and what the last word can become. */
const POSITIONS: readonly (readonly [line: string, words: readonly string[]])[] = [
  ['orgctl ', [...NOUNS.map(({ name }) => name), 'help']],
  ['orgctl mem', ['members']],
  ['orgctl feature-sets ', ['list', 'compare', 'current']],
  ['orgctl members list --st', ['--status']],
  ['orgctl members list --status ', ['active', 'inactive', 'invited']],
  ['orgctl members list -o ', FORMAT_NAMES],
  ['orgctl --dry-run members list --quiet --re', []],
  ['orgctl help ex', ['exit-codes']],
  ['orgctl --org acme settings get ca', ['ca-file']],
  ['orgctl completion ', ['bash', 'zsh', 'fish', 'powershell']],
  ['orgctl api P', ['POST', 'PATCH', 'PUT']],
  ['orgctl --ca-file ce', ['certificate.pem']],
  ['orgctl --ca-file=ce', ['--ca-file=certificate.pem']],
  ['orgctl audit-token rotate --to e', ['env-file:', 'exec:']],
  ['orgctl audit-token rotate --to file:ce', ['file:certificate.pem']],
  ['orgctl members list --fields user.two', ['user.two-factor', 'user.two-factor.enabled']],
  // From the service.
  ['orgctl members invite a@example.com --team p', ['platform']],
  ['orgctl --org g', ['globex']],
  ['orgctl members show mi', ['milo.member@example.com']],
  ['orgctl providers get public/h', ['public/hashicorp/aws', 'public/hashicorp/random']],
];

/** bash cuts words at =, and completes what is behind it. */
const KINDS = [
  { name: 'bash', open: openBash, afterEquals: ['--output=json', 'jsonapi'] },
  { name: 'zsh', open: openZsh, afterEquals: ['--output=json', '--output=jsonapi'] },
  { name: 'fish', open: openFish, afterEquals: ['--output=json', '--output=jsonapi'] },
];
type Kind = (typeof KINDS)[number];

const served = await serve(['--rate-limit', '0'], afterAll);

async function openShell({ open }: Kind, service: Environment, after: (act: () => void) => void) {
  const place = createPlace(after);
  const cwd = join(place.home, 'here');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'certificate.pem'), '');
  const env = { ...service, ...place.env };
  return { shell: await open({ place, env, cwd, after }), cwd };
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

  test.skipIf(!isThere)('a value behind an equals sign', async () => {
    const completed = await (await opened)?.shell.complete('orgctl members list --output=j');
    expect(completed?.slice(3).toSorted()).toEqual(kind.afterEquals);
  });

  test.skipIf(!isThere)('a name from the service is a word, whatever is in it', async () => {
    const names = ['t $(touch pwned)', 't\' "`touch pwned`', 't;touch pwned', 't\\x', 't\u001b]0;x\u0007', 't\nx'];
    const recorder = await startRecorder({
      behind: served.url,
      answer: ({ path }) =>
        path.includes('/teams')
          ? { data: names.map((team, index) => ({ id: `team-${index}`, type: 'teams', attributes: { name: team } })) }
          : undefined,
    });
    const env = { ...served.as('owner'), ORGCTL_BASE_URL: recorder.url };
    const { shell, cwd } = await openShell(kind, env, onTestFinished);
    const completed = await shell.complete('orgctl members invite --team t');
    expect(completed.slice(4).toSorted()).toEqual(names.slice(0, 4).toSorted());
    expect(readdirSync(cwd)).toEqual(['certificate.pem']);
  });
});

describe('names from the service', () => {
  const complete = (to: Served, words: readonly string[], more: Environment = {}) =>
    orgctl(['completion', 'bash', '--word=', '--', ...words], { env: { ...to.as('owner'), ...more } });

  test('are left out, and none are kept, where completion is offline', async () => {
    const own = await serve();
    const ended = await complete(own, ['--org'], { ORGCTL_COMPLETION: 'offline' });
    expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readdirSync(own.home)).toEqual([]);
  });

  test('are kept, and then given without the service', async () => {
    const own = await serve();
    const first = await complete(own, ['--org']);
    expect(first).toEqual({ code: 0, stdout: 'acme\nglobex\ninitech\n', stderr: '' });
    const gone = { ...own.as('owner'), HTTP_PROXY: 'http://127.0.0.1:1', ORGCTL_TOKEN: '' };
    const again = await orgctl(['completion', 'bash', '--word=g', '--', '--org'], { env: gone });
    expect(again).toEqual({ code: 0, stdout: 'globex\n', stderr: '' });
    const folder = join(own.home, '.local', 'state', 'orgctl', encodeURIComponent(new URL(own.url).origin));
    expect(readdirSync(folder)).toEqual(['completion-organizations.json']);
    expect(statSync(join(folder, 'completion-organizations.json')).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test('of the embedded service come with --sandbox', async () => {
    const { home, env } = createPlace();
    const argv = ['completion', 'bash', '--word=', '--', '--sandbox', 'members', 'invite', '--team'];
    const { code, stdout } = await orgctl(argv, { env });
    expect({ code, words: stdout.split('\n').slice(0, 2) }).toEqual({ code: 0, words: ['owners', 'platform'] });
    expect(existsSync(join(home, '.local', 'state', 'orgctl', 'sandbox'))).toBe(true);
  });
});

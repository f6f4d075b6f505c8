import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { EXIT_CODES } from '../../src/exit-codes.ts';
import { TOPIC_NAMES } from '../../src/manual/topic-names.ts';
import { readCommandTree } from '../support/command-tree.ts';
import { type Served, serve } from '../support/served.ts';
import { createPlace, orgctl, shell, start } from '../support/shipped.ts';

const { nouns, verbs } = await readCommandTree();
const place = createPlace(afterAll);
const helps = await readHelps(['', ...nouns, ...verbs]);
const topics = await Promise.all(TOPIC_NAMES.map(async (name) => (await orgctl(['help', name], place)).stdout));

describe('every help', () => {
  test.each(helps)('of "$words" says how it is called, and has an example', ({ words, text, examples }) => {
    expect(text).toContain(`\nUsage: ${`orgctl ${words}`.trim()}`);
    expect(examples.length).toBeGreaterThan(0);
    expect(text).toMatch(/\nExamples:\n(?: {2}# \S.*\n {2}\$ orgctl .*\n)+$/);
  });

  test.each(nouns)('of "%s" lists its verbs', (noun) => {
    const text = helps.find(({ words }) => words === noun)?.text ?? '';
    const own = verbs.filter((verb) => verb.startsWith(`${noun} `)).map((verb) => verb.slice(noun.length + 1));
    expect(own.filter((verb) => !new RegExp(`^ {2}${verb}\\b`, 'm').test(text))).toEqual([]);
  });

  test.each([...nouns, ...verbs])('of "%s" is the same by the word help', async (words) => {
    const asked = await orgctl(['help', ...words.split(' ')], place);
    expect(asked).toEqual({ code: 0, stdout: helps.find((help) => help.words === words)?.text, stderr: '' });
  });
});

describe('every example works as printed', () => {
  const examples = [...new Set([...helps.flatMap((help) => help.examples), ...topics.flatMap(findExamples)])];
  const isServer = (example: string): boolean => example.includes('sandbox serve');

  test.each(examples.filter((example) => !isServer(example)))('%s', async (example) => {
    const served = await serve();
    const folder = mkdtempSync(join(served.home, 'work-'));
    writeFileSync(join(folder, 'token'), `${served.tokenOf('owner')}\n`);
    // Where an example names a server of the sandbox, it is this one.
    const line = example.replace('http://127.0.0.1:8480', new URL(served.url).origin);
    const ended = await shell(line, { env: environmentOf(served, example), cwd: folder });
    expect(ended.code, ended.stderr).toBe(0);
    const [, file] = / > (\S+)$/.exec(example) ?? [];
    const kept = example.includes(' completion ') ? /^#.*\borgctl\n/ : /^sandbox\.\S+\n$/;
    if (file !== undefined) expect(readFileSync(join(folder, file), 'utf8')).toMatch(kept);
    else expect(ended.stdout + ended.stderr).not.toBe('');
  });

  test.each(examples.filter(isServer))('%s', async (example) => {
    const { home, env } = createPlace();
    const pidFile = join(home, 'pid');
    const server = start('sh', ['-c', example], { env: { ...env, PID_FILE: pidFile } });
    await server.untilStdout((text) => text.includes('audit-token'));
    expect(server.stdout()).toMatch(/^ORGCTL_BASE_URL=http:\/\/127\.0\.0\.1:\d+\/api\/v2\nsandbox\./);
    process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGTERM');
    expect((await server.ended).code).toBe(143);
  });
});

describe('the first steps', () => {
  test('--help tells everything there is', () => {
    expect(helps[0]?.text).toMatchInlineSnapshot(`
      "Administer organizations on HCP Terraform, Terraform Enterprise and services with the same API:
      members and invitations, audit trail tokens, registry providers, feature sets.

      Usage: orgctl <noun> <verb> [arguments] [options]

      The organization:
        members                     the people of an organization: members and invitations
        teams                       the teams of an organization, to find their names and ids
        providers                   the providers of an organization's private registry
        audit-token                 the audit trail token: one for each organization
        audit-trail                 what happened in the organization the token belongs to
        feature-sets                the plans of the service, and what each holds

      orgctl itself:
        auth                        the token: store it, see what it is and where it comes from, forget it
        api                         any request to the service, for what orgctl has no command for
        settings                    what orgctl assumes when an option is left out
        sandbox                     the service itself, embedded, to try things and to test scripts
                                    without an account
        doctor                      check everything between here and the organization, and say what to do
                                    about what is wrong
        completion                  a script that lets a shell complete what is typed: bash, zsh, fish,
                                    powershell
        help [words...]             help on a command, or on one of: exit-codes, environment, output,
                                    rotation

      Options:
        --version                   print the version
        -h, --help                  print help

      Which service, as whom:
        --org <name>                the organization
        --base-url <url>            the service, exactly as written; default
                                    https://app.terraform.io/api/v2
        --host <name>               the service by host name, meaning https://<name>/api/v2
        --profile <name>            a stored base URL, organization and token by one name
        --sandbox                   use the embedded make-believe service; its state is kept between
                                    commands
        --as <caller>               with --sandbox, who calls: owner, owners-team, org-token, member,
                                    team-manager, registry-manager, audit-token, none

      Output:
        -o, --output <format>       table, tsv, csv, json, ndjson, jsonapi; default: table at a terminal,
                                    tsv elsewhere
        --fields <names>            which fields, in this order: id,email,user.username
        -q, --quiet                 no chatter; warnings stay
        --debug                     every HTTP exchange on stderr, without secrets
        --accessible                for screen readers: no boxes, no moving lines, words for signs
        --no-color                  no colours (so do NO_COLOR and CLICOLOR=0; FORCE_COLOR forces them)

      Safety:
        -y, --yes                   answer every confirmation with yes
        --no-input                  never ask anything
        --dry-run                   send no write; show each that would be sent

      Connection:
        --timeout <duration>        for one request, such as 10s (default: 30s; 60s to make a token)
        --max-retries <n>           how often a request is tried again where that is safe (default: 4)
        --ca-file <pem>             trust this certificate authority too
        --insecure-skip-tls-verify  trust any certificate: whoever is in between can read the token
        --allow-http <host>         allow plain http to this host; may be repeated

      Examples:
        # try it: the embedded service needs no account and no network
        $ orgctl --sandbox members list
        # on the real service, with ORGCTL_TOKEN set
        $ orgctl members list --org acme
        # what a command takes, with examples
        $ orgctl members invite --help
      "
    `);
  });

  test('help exit-codes lists exactly the exit codes', async () => {
    const { code, stdout, stderr } = await orgctl(['help', 'exit-codes'], place);
    const listed = [...stdout.matchAll(/^ +(\d+) {2}(\S+) +(\S.*)$/gm)].map(([, number, name, when]) => [
      name,
      { code: Number(number), when },
    ]);
    expect(listed).toEqual(Object.entries(EXIT_CODES));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test.each(TOPIC_NAMES)('help %s is a topic', async (topic) => {
    const { code, stdout, stderr } = await orgctl(['help', topic], place);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^\S[^\n]*\n\n[\s\S]*\n$/);
  });

  test('no command at all is help, as a mistake', async () => {
    expect(await orgctl([], place)).toEqual({ code: 2, stdout: '', stderr: helps[0]?.text });
  });

  test.each(nouns)('"%s" without a verb is its help, as a mistake', async (noun) => {
    const text = helps.find(({ words }) => words === noun)?.text;
    expect(await orgctl([noun], place)).toEqual({ code: 2, stdout: '', stderr: text });
  });

  test('--version is that of the package, and nothing else', async () => {
    expect(await orgctl(['--version'], place)).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
  });

  test('none of it leaves a file behind', () => {
    expect(existsSync(join(place.home, '.config')) || existsSync(join(place.home, '.local'))).toBe(false);
  });
});

interface Help {
  /** What calls the command, without `orgctl`. */
  readonly words: string;
  readonly text: string;
  readonly examples: readonly string[];
}

async function readHelps(commands: readonly string[]): Promise<readonly Help[]> {
  const helps: Help[] = [];
  for (const words of commands) {
    const argv = words === '' ? [] : words.split(' ');
    const { code, stdout, stderr } = await orgctl([...argv, '--help'], place);
    if (code !== 0 || stderr !== '') throw new Error(`orgctl ${words} --help ended with ${code}: ${stderr}`);
    helps.push({ words, text: stdout, examples: findExamples(stdout) });
  }
  return helps;
}

function findExamples(text: string): readonly string[] {
  return [...text.matchAll(/^ {2}\$ (.+)$/gm)].map(([, line = '']) => line);
}

/** The examples of audit-trail need another token than an owner's; nothing else does. */
function environmentOf(served: Served, example: string) {
  return {
    ...served.env,
    ORGCTL_BASE_URL: served.url,
    ORGCTL_TOKEN: served.tokenOf(example.includes('audit-trail') ? 'org-token' : 'owner'),
  };
}

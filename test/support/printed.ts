import { execFileSync } from 'node:child_process';
import type { Command } from 'commander';
import { createHost } from '../../src/old/host.ts';
import { createProgram } from '../../src/old/program.ts';

/** Commands that orgctl prints to be pasted. */

const PRINTED = /^ {2}(?:\$|run:) (orgctl .*)$/gm;
/** What decides which service is asked, as whom, and about which organization. */
const TARGET = ['profile', 'sandbox', 'as', 'baseUrl', 'host', 'caFile', 'allowHttp', 'insecureSkipTlsVerify', 'org'];

/** Commands that have no organization or have it in their path, or find out which there are. */
const WITHOUT_ORGANIZATION = /(?:^|\s)(?:api|auth|settings|members mine)(?:\s|$)/;

/** The sandbox's own state is no service, and its audit token is created by another caller. */
const ELSEWHERE = /(?:^|\s)(?:sandbox|audit-token generate)(?:\s|$)/;

/** The lines to paste, of what a person reads or of the JSON that programs read. */
function findPrinted(stderr: string): readonly string[] {
  const lines = [...stderr.matchAll(PRINTED)].map(([, line = '']) => line);
  const json = [...stderr.matchAll(/^\{"error":.*"next":(\[[^\]]*\]).*$/gm)].flatMap(([, next = '[]']) =>
    JSON.parse(next),
  );
  return [...lines, ...json];
}

/** What no shell reads as anything but itself. */
const PLAIN = /^[\w ./:@,+-]+$/;

/** The words of a line as a shell reads them. */
function toWords(line: string): readonly string[] {
  if (PLAIN.test(line)) return line.split(/ +/);
  return execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
}

/**
 * Throws unless each command that was printed is one that orgctl understands, and asks the service, as the caller, that the
 * command it was printed by asked.
 */
export async function checkPrinted(stderr: string, argv: readonly string[]): Promise<void> {
  const lines = findPrinted(stderr);
  if (lines.length === 0) return;
  const own = await parse(argv).catch(() => undefined);
  const isLogin = argv.join(' ').includes('auth login');
  for (const line of lines) {
    const [, ...words] = toWords(line);
    const printed = await parse(words);
    const isElsewhere = ELSEWHERE.test(words.join(' '));
    const isWhole = printed['org'] !== undefined || printed['takesSeveral'] !== true;
    for (const name of isWhole ? [] : ['orgs', 'allOrgs']) {
      if (String(own?.[name]) === String(printed[name])) continue;
      throw new Error(`${name} was ${own?.[name]}, and is ${printed[name]} in the printed command: ${line}`);
    }
    for (const name of TARGET) {
      if (isElsewhere && ['sandbox', 'as', 'org'].includes(name)) continue;
      const [from, to] = [own?.[name], printed[name]].map((value) => JSON.stringify(value));
      // A login has stored it.
      if (isLogin && ['baseUrl', 'host', 'org', 'caFile'].includes(name) && to === undefined) continue;
      // The service stays: a profile of another one is no place for its token.
      if (name === 'profile' && words.join(' ').includes('auth login')) continue;
      const isMeant = name === 'org' && to === undefined && WITHOUT_ORGANIZATION.test(words.join(' '));
      // What was left to the environment may be spelt out.
      if (from !== undefined && from !== to && !isMeant && !(name === 'as' && from === '"owner"')) {
        throw new Error(`${name} was ${from}, and is ${to} in the printed command: ${line}`);
      }
    }
  }
}

class Understood extends Error {
  readonly options: Readonly<Record<string, unknown>>;
  constructor(options: Readonly<Record<string, unknown>>) {
    super('understood');
    this.options = options;
  }
}

/** The options of a command line, which is not carried out. Rejects with commander's error for one that cannot be. */
async function parse(argv: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const open = (verb: { optsWithGlobals(): object }): never => {
    const takesSeveral = (verb as Command).options.some(({ long }) => long === '--all-orgs');
    throw new Understood({ ...verb.optsWithGlobals(), takesSeveral });
  };
  const host = createHost(process);
  const { program }: { readonly program: Command } = createProgram({
    host,
    version: '0',
    loadContext: async () => open,
    onPrint: () => undefined,
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (error instanceof Understood) return error.options;
    throw error;
  }
  throw new Error(`${argv.join(' ')} does nothing`);
}

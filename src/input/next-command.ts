import { toShellWord } from './shell-word.ts';

/** Writes a command for people to paste: the words of its line, the program first. */
export type NextCommand = (words: readonly string[]) => string;

export interface GivenOptions {
  readonly profile?: string | undefined;
  readonly sandbox?: boolean | undefined;
  readonly as?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly host?: string | undefined;
  readonly caFile?: string | undefined;
  readonly allowHttp?: readonly string[] | undefined;
  readonly insecureSkipTlsVerify?: boolean | undefined;
  readonly orgs?: readonly string[] | undefined;
  readonly allOrgs?: boolean | undefined;
}

/** Nouns that ask no service, and which of the options they read all the same. */
const WITHOUT_SERVICE: Readonly<Record<string, readonly string[]>> = {
  settings: ['--profile'],
  sandbox: [],
  completion: [],
};
/** Nouns and verbs without an organization, or that do something else where one is named. */
const WITHOUT_ORGANIZATION = new Set(['auth', 'api', 'members mine', 'feature-sets list']);

/** Among the words: a file names the organizations, and the command takes none beside it. It is not printed. */
export const OF_FILE = '--organizations-of-file';

/** Commands that take several organizations. */
export const WITH_SEVERAL = new Set([
  'audit-token rotate',
  'audit-token show',
  'doctor',
  'feature-sets current',
  'members invite',
  'members list',
  'members remove',
  'members report',
  'providers apply',
  'providers create',
  'providers delete',
  'providers list',
  'providers plan',
  'teams add',
  'teams remove',
]);

/**
 * The one maker of commands to paste. A command of orgctl asks the same service as this command line, as the same user: it
 * gets the options that were given here, and the organization in use, or all of them, where its words do not name them.
 */
export function createNextCommand(from: {
  readonly given: GivenOptions;
  readonly organization: () => string | undefined;
  readonly platform: NodeJS.Platform;
}): NextCommand {
  const { given, organization, platform } = from;
  return (words) => {
    const [program = '', ...rest] = words;
    const whole =
      program === 'orgctl' ? [program, ...carry(given, organization, rest), ...addSeveral(given, rest)] : words;
    return whole
      .filter((word) => word !== OF_FILE)
      .map((word) => toShellWord(word, platform))
      .join(' ');
  };
}

/** The words with the organization that they are about, where the command takes one and they name none. */
export function nameOrganization(words: readonly string[], organization: string): readonly string[] {
  const [program, ...rest] = words;
  return program === 'orgctl' && takesOrganization(rest) ? [...words, '--org', organization] : words;
}

function takesOrganization(words: readonly string[]): boolean {
  const [noun = '', verb = ''] = words;
  return (
    WITHOUT_SERVICE[noun] === undefined &&
    !WITHOUT_ORGANIZATION.has(noun) &&
    !WITHOUT_ORGANIZATION.has(`${noun} ${verb}`) &&
    !['--org', '--orgs', '--all-orgs', OF_FILE].some((name) => words.includes(name))
  );
}

function carry(given: GivenOptions, organization: () => string | undefined, words: readonly string[]): string[] {
  const [noun = ''] = words;
  const optionsRead = WITHOUT_SERVICE[noun];
  const options = toOptions(given).filter(
    ([name]) => !words.includes(name) && (optionsRead === undefined || optionsRead.includes(name)),
  );
  const name = takesOrganization(words) ? organization() : undefined;
  return [...options.flat(), ...(name === undefined ? [] : ['--org', name])];
}

/** The organizations stand behind the verb, which alone knows these options. */
function addSeveral({ orgs, allOrgs }: GivenOptions, words: readonly string[]): readonly string[] {
  const [noun = '', verb = ''] = words;
  const length = [noun, `${noun} ${verb}`].findIndex((name) => WITH_SEVERAL.has(name)) + 1;
  const options = orgs === undefined ? ['--all-orgs'] : ['--orgs', orgs.join(',')];
  if (length === 0 || (orgs === undefined && allOrgs !== true) || !takesOrganization(words)) return words;
  return [...words.slice(0, length), ...options, ...words.slice(length)];
}

function toOptions(given: GivenOptions): readonly (readonly [name: string, ...value: string[]])[] {
  const valued = (name: string, value: string | undefined): (readonly [string, string])[] =>
    value === undefined ? [] : [[name, value]];
  const flag = (name: string, value: boolean | undefined): (readonly [string])[] => (value === true ? [[name]] : []);
  return [
    ...valued('--profile', given.profile),
    ...flag('--sandbox', given.sandbox),
    ...valued('--as', given.as),
    ...valued('--base-url', given.baseUrl),
    ...valued('--host', given.host),
    ...valued('--ca-file', given.caFile),
    ...(given.allowHttp ?? []).map((host) => ['--allow-http', host] as const),
    ...flag('--insecure-skip-tls-verify', given.insecureSkipTlsVerify),
  ];
}

import { findAbout, findCommandName } from './about.ts';
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
  readonly clientCert?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly allowHttp?: readonly string[] | undefined;
  readonly insecureSkipTlsVerify?: boolean | undefined;
  readonly orgs?: readonly string[] | undefined;
  readonly allOrgs?: boolean | undefined;
}

/** Stands among the words where a file names the organizations, so that the command takes none beside it. It is not printed. */
export const OF_FILE = '--organizations-of-file';

/** Among the words: service and organization are what is stored by now, and not what this line names. It is not printed. */
export const AS_STORED = '--as-stored';

/** Among the words: this option is not carried, though it stands on this line. It is not printed. */
export function without(option: '--profile' | '--host' | '--ca-file'): string {
  return `${WITHOUT}${option}`;
}

const WITHOUT = '--without=';

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
      .filter((word) => word !== OF_FILE && word !== AS_STORED && !word.startsWith(WITHOUT))
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
  const about = findAbout(words);
  return (
    (about === undefined || about === 'organization' || about === 'organizations') &&
    !['--org', '--orgs', '--all-orgs', OF_FILE, AS_STORED].some((name) => words.includes(name))
  );
}

function carry(given: GivenOptions, organization: () => string | undefined, words: readonly string[]): string[] {
  const about = findAbout(words);
  const isStored = ([name]: readonly string[]): boolean =>
    words.includes(AS_STORED) && (name === '--base-url' || name === '--host');
  const options = toOptions(given).filter(
    ([name]) =>
      !words.includes(name) &&
      !words.includes(`${WITHOUT}${name}`) &&
      about !== 'nothing' &&
      (about !== 'settings' || name === '--profile') &&
      !isStored([name]),
  );
  const name = takesOrganization(words) ? organization() : undefined;
  return [...options.flat(), ...(name === undefined ? [] : ['--org', name])];
}

/** The organizations stand behind the verb, which alone knows these options. */
function addSeveral({ orgs, allOrgs }: GivenOptions, words: readonly string[]): readonly string[] {
  const options = orgs === undefined ? ['--all-orgs'] : ['--orgs', orgs.join(',')];
  if (findAbout(words) !== 'organizations' || (orgs === undefined && allOrgs !== true)) return words;
  if (!takesOrganization(words)) return words;
  const length = findCommandName(words)?.split(' ').length ?? 0;
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
    ...valued('--client-cert', given.clientCert),
    ...valued('--client-key', given.clientKey),
    ...(given.allowHttp ?? []).map((host) => ['--allow-http', host] as const),
    ...flag('--insecure-skip-tls-verify', given.insecureSkipTlsVerify),
  ];
}

/** Which options a command takes that say where it acts: those of a command that is printed to be pasted. */
export type About =
  /** One organization. */
  | 'organization'
  /** One, several or all organizations. */
  | 'organizations'
  /** The service or its caller: no organization, or something else where one is named. */
  | 'service'
  /** What is stored here, by profile. No service is asked. */
  | 'settings'
  /** Neither a service nor what is stored here. */
  | 'nothing';

/**
 * Says of every command what it is about. The table is apart from the verbs, since a command can be printed whose verb
 * is not loaded.
 */
export const ABOUT = {
  'members list': 'organizations',
  'members mine': 'service',
  'members show': 'organization',
  'members invite': 'organizations',
  'members remove': 'organizations',
  'members resend': 'organizations',
  'members plan': 'organizations',
  'members apply': 'organizations',
  'members report': 'organizations',
  'teams list': 'organizations',
  'teams members': 'organizations',
  'teams add': 'organizations',
  'teams remove': 'organizations',
  'providers list': 'organizations',
  'providers get': 'organizations',
  'providers versions': 'organization',
  'providers create': 'organizations',
  'providers publish': 'organization',
  'providers delete': 'organizations',
  'providers check': 'organization',
  'tokens list': 'organizations',
  'tokens rotate': 'organizations',
  'tokens delete': 'organization',
  'audit-token show': 'organizations',
  'audit-token rotate': 'organizations',
  'audit-token generate': 'organization',
  'audit-token delete': 'organization',
  'audit-trail list': 'organization',
  'audit-trail follow': 'organization',
  'feature-sets list': 'service',
  'feature-sets current': 'organizations',
  'auth login': 'service',
  'auth status': 'service',
  'auth logout': 'service',
  'auth use': 'nothing',
  api: 'organization',
  'settings list': 'settings',
  'settings get': 'settings',
  'settings set': 'settings',
  'settings unset': 'settings',
  'sandbox serve': 'nothing',
  'sandbox info': 'nothing',
  'sandbox accept': 'nothing',
  'sandbox reset': 'nothing',
  doctor: 'organization',
  completion: 'nothing',
  help: 'nothing',
} as const satisfies Readonly<Record<string, About>>;

/** The words of a command, such as `members list`. */
export type CommandName = keyof typeof ABOUT;

/** The command that a line begins with behind the program. Undefined where there is none. */
export function findCommandName([first = '', second = '']: readonly string[]): CommandName | undefined {
  const isName = (name: string): name is CommandName => Object.hasOwn(ABOUT, name);
  return [`${first} ${second}`, first].find(isName);
}

export function findAbout(words: readonly string[]): About | undefined {
  const name = findCommandName(words);
  return name === undefined ? undefined : ABOUT[name];
}

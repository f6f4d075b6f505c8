import type { Register } from './commands/verb.ts';
import { TOPIC_NAMES } from './manual/topic-names.ts';

/** The nouns, as data: a noun's verbs are loaded only when the noun is named. One without verbs is a command itself. */
export interface Noun {
  readonly name: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** A sentence, for its own help. The summary when left out. */
  readonly description?: string;
  /** Whether it is about orgctl itself, and not about an organization. */
  readonly setsUp?: true;
  /** What adds the verbs to the noun's command. */
  readonly load: () => Promise<Register>;
}

export const NOUNS: readonly Noun[] = [
  {
    name: 'members',
    summary: 'List, invite and remove people; compare with a roster',
    description: 'The people of an organization: members and invitations.',
    load: async () => (await import('./commands/members/index.ts')).registerMembers,
  },
  {
    name: 'teams',
    summary: 'List teams and who is in them; add and remove people',
    description: 'The teams of an organization, and who is in them.',
    load: async () => (await import('./commands/teams/index.ts')).registerTeams,
  },
  {
    name: 'providers',
    summary: 'List, add and delete registry providers',
    description: "The providers of an organization's private registry.",
    load: async () => (await import('./commands/providers/index.ts')).registerProviders,
  },
  {
    name: 'tokens',
    summary: 'List, rotate and delete tokens of organizations and teams',
    description: 'The tokens of an organization and its teams.',
    load: async () => (await import('./commands/tokens/index.ts')).registerTokens,
  },
  {
    name: 'audit-token',
    summary: 'Show, rotate, generate and delete the audit trail token',
    description: 'The audit trail token, of which an organization has one.',
    load: async () => (await import('./commands/audit-token/index.ts')).registerAuditToken,
  },
  {
    name: 'audit-trail',
    summary: 'Read and follow the audit trail',
    description: 'What happened in the organization that the token belongs to, in the last 14 days.',
    load: async () => (await import('./commands/audit-trail/index.ts')).registerAuditTrail,
  },
  {
    name: 'feature-sets',
    summary: 'List plans; show yours',
    description: 'The plans of the service, and what each includes.',
    load: async () => (await import('./commands/feature-sets/index.ts')).registerFeatureSets,
  },
  {
    name: 'auth',
    summary: 'Log in and out; show which token is used',
    description: 'The token: store it, remove it, and see where it comes from.',
    setsUp: true,
    load: async () => (await import('./commands/auth/index.ts')).registerAuth,
  },
  {
    name: 'api',
    summary: 'Send any request',
    description: 'Send any request to the service, where no other command does it.',
    load: async () => (await import('./commands/api/index.ts')).registerApi,
  },
  {
    name: 'settings',
    summary: 'Show and change settings',
    description: 'What orgctl uses where an option is left out.',
    setsUp: true,
    load: async () => (await import('./commands/settings/index.ts')).registerSettings,
  },
  {
    name: 'sandbox',
    summary: 'Serve, show and reset the built-in sandbox',
    description: 'The built-in sandbox: the service itself, to try commands and to test scripts without an account.',
    setsUp: true,
    load: async () => (await import('./commands/sandbox/index.ts')).registerSandbox,
  },
  {
    name: 'doctor',
    summary: 'Check connection, token and settings',
    description: 'Check everything from settings to the organization, and say how to fix what is wrong.',
    setsUp: true,
    load: async () => (await import('./commands/doctor/index.ts')).registerDoctor,
  },
  {
    name: 'completion',
    summary: 'Print a completion script for your shell',
    description: 'Print a script that completes what you type in your shell.',
    setsUp: true,
    load: async () => (await import('./commands/completion/index.ts')).registerCompletion,
  },
];

/** For those who expect it: help does not list it. */
export const HELP: Noun = {
  name: 'help',
  summary: `Show help on a command, or on a topic: ${TOPIC_NAMES.join(', ')}`,
  load: async () => (await import('./commands/help/index.ts')).registerHelp,
};

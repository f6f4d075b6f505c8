import type { Command } from 'commander';
import type { PrepareCommand } from './commands/options.ts';
import type { OpenContext } from './context/context.ts';

/** The nouns, as data: a noun’s verbs are loaded only when the noun is named. One without verbs is a command itself. */
export interface Noun {
  readonly name: string;
  readonly group: string;
  readonly description: string;
  /** What adds the verbs to the noun's command. `prepare` is for a noun that looks at other commands. */
  readonly load: () => Promise<(noun: Command, open: OpenContext, prepare: PrepareCommand) => void>;
}

const ORGANIZATION = 'The organization:';
export const ITSELF = 'orgctl itself:';

export const NOUNS: readonly Noun[] = [
  {
    name: 'members',
    group: ORGANIZATION,
    description: 'the people of an organization: members and invitations',
    load: async () => (await import('./commands/members/index.ts')).registerMembers,
  },
  {
    name: 'teams',
    group: ORGANIZATION,
    description: 'the teams of an organization, to find their names and ids',
    load: async () => (await import('./commands/teams/index.ts')).registerTeams,
  },
  {
    name: 'providers',
    group: ORGANIZATION,
    description: 'the providers of an organization’s private registry',
    load: async () => (await import('./commands/providers/index.ts')).registerProviders,
  },
  {
    name: 'audit-token',
    group: ORGANIZATION,
    description: 'the audit trail token: one for each organization',
    load: async () => (await import('./commands/audit-token/index.ts')).registerAuditToken,
  },
  {
    name: 'audit-trail',
    group: ORGANIZATION,
    description: 'what happened in the organization the token belongs to',
    load: async () => (await import('./commands/audit-trail/list.ts')).registerAuditTrail,
  },
  {
    name: 'feature-sets',
    group: ORGANIZATION,
    description: 'the plans of the service, and what each holds',
    load: async () => (await import('./commands/feature-sets/index.ts')).registerFeatureSets,
  },
  {
    name: 'auth',
    group: ITSELF,
    description: 'the token: store it, see what it is and where it comes from, forget it',
    load: async () => (await import('./commands/auth/index.ts')).registerAuth,
  },
  {
    name: 'api',
    group: ITSELF,
    description: 'any request to the service, for what orgctl has no command for',
    load: async () => (await import('./commands/api/index.ts')).registerApi,
  },
  {
    name: 'settings',
    group: ITSELF,
    description: 'what orgctl assumes when an option is left out',
    load: async () => (await import('./commands/settings/index.ts')).registerSettings,
  },
  {
    name: 'sandbox',
    group: ITSELF,
    description: 'the service itself, embedded, to try things and to test scripts without an account',
    load: async () => (await import('./commands/sandbox/index.ts')).registerSandbox,
  },
  {
    name: 'doctor',
    group: ITSELF,
    description: 'check everything between here and the organization, and say what to do about what is wrong',
    load: async () => (await import('./commands/doctor/index.ts')).registerDoctor,
  },
  {
    name: 'completion',
    group: ITSELF,
    description: 'a script that lets a shell complete what is typed: bash, zsh, fish, powershell',
    load: async () => (await import('./commands/completion/index.ts')).registerCompletion,
  },
];

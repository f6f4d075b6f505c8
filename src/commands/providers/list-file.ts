import type { Command } from 'commander';
import type { Context } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { readText } from '../../input/read-text.ts';
import type { Plan, PlanRules } from '../../provider-list/plan.ts';
import { countThings } from '../../text/count.ts';

/** What plan and apply share: the file of providers, and how organizations differ from it. */

export interface ListFileFlags {
  readonly file?: string;
  readonly prune?: boolean;
  readonly prunePrivate?: boolean;
}

export interface ListFileInput extends PlanRules {
  readonly file: string;
}

export function addListFileOptions(command: Command): Command {
  return command
    .option('--file <path>', 'The providers: YAML or JSON; - is stdin')
    .option('--prune', 'Delete providers that are not in the file (never private ones)')
    .option('--prune-private', 'With --prune: delete private ones too, and their versions')
    .addHelpText(
      'after',
      '\nThe file, for one organization:\n  providers: [hashicorp/aws, private/billing]\nFor several:\n  organizations:\n    acme:\n      providers: [hashicorp/aws]',
    );
}

export function toListFileInput({ file, prune = false, prunePrivate = false }: ListFileFlags): ListFileInput {
  if (file === undefined) {
    throw new UsageError('missing --file: the providers', {
      hint: 'To print a file of the current providers:',
      next: [['orgctl', 'providers', 'plan', '--init']],
    });
  }
  if (prunePrivate && !prune) {
    throw new UsageError('--prune-private works only with --prune', { hint: 'Without --prune nothing is deleted.' });
  }
  return { file, prune, prunePrivate };
}

export interface Planned {
  readonly plans: readonly Plan[];
  /** Whether the file or the command line names several organizations. */
  readonly isSeveral: boolean;
  readonly name: string;
  readonly isFile: boolean;
}

/** Reads and compares, and sends nothing. Throws UsageError for a file that can't be used. */
export async function planFromFile(context: Context, { file, ...rules }: ListFileInput): Promise<Planned> {
  const { identity, screen, services, places } = context;
  const reader = { host: places.host, signal: places.interrupts.signal };
  const { text, name, isFile } = await readText(reader, file);
  // With the parser of YAML.
  const { parseProviderList } = await import('../../provider-list/provider-list.ts');
  const { planProviders } = await import('../../provider-list/plan-providers.ts');
  const serviceHost = identity.serviceHost();
  const list = parseProviderList(text, name, { organization: identity.organization, serviceHost });
  const organizations = list.organizations ?? [identity.organization()];
  const lists = organizations.map((organization) => ({ organization, ...list.resolve(organization) }));
  const folded = lists.reduce((sum, one) => sum + one.folded, 0);
  if (folded > 0) screen.note(`${name}: ${countThings(folded, 'entry repeats', 'entries repeat')} a provider.`);
  const service = await services.current();
  const progress = screen.progress('Reading providers');
  try {
    const plans: Plan[] = [];
    for (const { organization, wanted } of lists) {
      plans.push(await planProviders(service, organization, wanted, rules));
    }
    return { plans, isSeveral: list.organizations !== undefined, name, isFile };
  } finally {
    progress.stop();
  }
}

/** `acme`, or `3 organizations`. */
export function describePlace(organizations: readonly string[]): string {
  const [only] = organizations;
  return organizations.length === 1 && only !== undefined
    ? only
    : countThings(organizations.length, 'organization', 'organizations');
}

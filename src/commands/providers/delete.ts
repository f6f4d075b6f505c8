import type { Client } from '../../api/client.ts';
import { deletePlatform, deleteVersion, findPlatform, findVersion } from '../../api/provider-versions.ts';
import { deleteProvider } from '../../api/providers.ts';
import { runBatch } from '../../cli/batch.ts';
import { defineVerb } from '../../cli/command.ts';
import { readEachOrg } from '../../cli/each-org.ts';
import { argument, option } from '../../cli/options.ts';
import type { Session } from '../../cli/session.ts';
import { OrgctlError, UsageError } from '../../lib/errors.ts';
import { joinNames, plural } from '../../lib/text.ts';
import { createOrgRecord } from '../../output/columns.ts';
import { formatAddress, formatTarget, type ProviderTarget, parseTarget } from '../../providers/address.ts';
import { type FindListed, readListed } from '../../providers/listed.ts';
import { completeProviders, createScope, dropDuplicates } from './addresses.ts';
import { RESULT_COLUMNS } from './columns.ts';

interface Deletion {
  org: string;
  target: ProviderTarget;
  /** Undefined if it does not exist. */
  id: string | undefined;
}

export const verb = defineVerb({
  takesSeveralOrgs: true,
  columns: RESULT_COLUMNS,
  arguments: [
    argument('<addresses...>', 'registry/namespace/name; with @<version> or @<version>/<os>_<arch> a part', {
      complete: completeProviders(),
    }),
  ],
  options: [option('--ignore-missing', "skip providers that don't exist")],
  examples: ['providers delete public/hashicorp/aws --dry-run', 'providers delete private/acme/billing@1.2.0 --yes'],
  async run(session, { ignoreMissing = false }, texts) {
    const { client, confirm } = session;
    const { values, failures } = await readEachOrg(session, async (org) => {
      const targets = parseTargets(session, org, texts);
      const findListed = await readListed(client, org);
      return Promise.all(
        targets.map(
          async (target): Promise<Deletion> => ({ org, target, id: await findId(client, findListed, target) }),
        ),
      );
    });
    const items = selectItems(values.flat(), ignoreMissing);
    const present = items.filter(({ id }) => id !== undefined);
    if (present.length > 0) await confirm(createQuestion(present));
    await runBatch<Deletion>(session, items, {
      label: 'Deleting',
      columns: RESULT_COLUMNS,
      things: ['provider', 'providers'],
      failures,
      name: ({ target }) => formatTarget(target),
      row: ({ org, target, id = null }) => ({
        id,
        type: findType(target),
        address: formatTarget(target),
        organization: createOrgRecord(org),
      }),
      async act({ org, target, id }) {
        if (id === undefined) return { result: 'unchanged' };
        return (await deleteTarget(client, org, target)) && { result: 'deleted' };
      },
      sentence: ({ org, target }, { result }) => {
        const name = formatTarget(target);
        if (result === 'unchanged') return { sign: '=', text: `${name} is not in ${org}` };
        if (result === 'planned') return { sign: 'Would', text: `delete ${name} from ${org}` };
        return { sign: '✓', text: `Deleted ${name} from ${org}` };
      },
    });
  },
});

/** Throws UsageError. A short address needs a terminal, where the question shows its full form. */
function parseTargets(session: Session, org: string, texts: string[]): ProviderTarget[] {
  const scope = createScope(session, org);
  const targets = texts.map((text) => {
    const target = parseTarget(text, scope);
    const [provider = ''] = text.split('@');
    if (provider.split('/').length === 3 || session.prompts.canAsk) return target;
    throw new UsageError(`'${text}' is not a full address`, { hint: `Did you mean ${formatTarget(target)}?` });
  });
  return dropDuplicates(targets);
}

async function findId(
  client: Client,
  findListed: FindListed,
  { address, version, platform }: ProviderTarget,
): Promise<string | undefined> {
  if (version === undefined) return findListed(address);
  const found = platform
    ? await findPlatform(client, { ...address, version, ...platform })
    : await findVersion(client, { ...address, version });
  return found?.id;
}

function findType({ version, platform }: ProviderTarget): string {
  if (version === undefined) return 'registry-providers';
  return platform ? 'registry-provider-platforms' : 'registry-provider-versions';
}

function deleteTarget(client: Client, org: string, { address, version, platform }: ProviderTarget) {
  if (version === undefined) return deleteProvider(client, org, address);
  return platform
    ? deletePlatform(client, { ...address, version, ...platform })
    : deleteVersion(client, { ...address, version });
}

/** Throws `not-found` for targets in none of the organizations, and leaves out organizations without a target. */
function selectItems(items: Deletion[], ignoresMissing: boolean): Deletion[] {
  const present = new Set(items.filter(({ id }) => id !== undefined).map(({ target }) => formatTarget(target)));
  const missing = items.filter(({ target }) => !present.has(formatTarget(target)));
  const [first] = missing;
  if (first && !ignoresMissing) {
    const { address, version } = first.target;
    const [names, orgs] = [missing.map(({ target }) => formatTarget(target)), missing.map(({ org }) => org)].map(
      (all) => joinNames([...new Set(all)]),
    );
    throw new OrgctlError('not-found', `there is no ${names} in ${orgs}`, {
      hint: `\`orgctl providers ${version === undefined ? 'list' : `versions ${formatAddress(address)}`}\` shows what is there.`,
    });
  }
  return items.filter(({ target, id }) => id !== undefined || !present.has(formatTarget(target)));
}

function createQuestion(items: Deletion[]): string {
  const orgs = joinNames([...new Set(items.map(({ org }) => org))]);
  const names = [...new Set(items.map(({ target }) => describeTarget(target)))];
  const [first] = items;
  if (first && names.length === 1) return `Delete ${describeTarget(first.target)} from ${orgs}?`;
  const shown = names.slice(0, 10).join(', ');
  const more = names.length > 10 ? ` and ${names.length - 10} more` : '';
  return `Delete ${plural(names.length, 'provider')} from ${orgs}: ${shown}${more}?`;
}

function describeTarget(target: ProviderTarget): string {
  const name = formatTarget(target);
  if (target.address.registry === 'public' || target.platform) return name;
  return `${name} and its ${target.version === undefined ? 'versions' : 'platforms'}`;
}

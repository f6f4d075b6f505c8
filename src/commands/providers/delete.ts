import type { Client } from '../../api/client.ts';
import { deletePlatform, deleteVersion, findPlatform, findVersion } from '../../api/provider-versions.ts';
import { deleteProvider } from '../../api/providers.ts';
import { ask, runBatch, tell } from '../../cli/batch.ts';
import { defineVerb } from '../../cli/command.ts';
import { readEachOrg } from '../../cli/each-org.ts';
import { argument, option } from '../../cli/options.ts';
import type { Session } from '../../cli/session.ts';
import { OrgctlError, UsageError } from '../../lib/errors.ts';
import { joinNames } from '../../lib/text.ts';
import { formatAddress, formatTarget, type ProviderTarget, parseTarget, readListed } from '../../providers/address.ts';
import { completeProviders, createScope, dropDuplicates, type NamedTarget, PROVIDER_BATCH } from './addresses.ts';
import { RESULT_COLUMNS } from './columns.ts';

type FindListed = Awaited<ReturnType<typeof readListed>>;

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
    const { client } = session;
    const { values, failures } = await readEachOrg(session, async (org) => {
      const targets = parseTargets(session, org, texts);
      const findListed = await readListed(client, org);
      const ids = await Promise.all(targets.map((target) => findId(client, findListed, target)));
      const missing = targets.filter((_, at) => ids[at] === undefined);
      const [first] = missing;
      if (first && !ignoreMissing) {
        const list = first.version === undefined ? 'list' : `versions ${formatAddress(first)}`;
        throw new OrgctlError('not-found', `${org} has no ${joinNames(missing.map(formatTarget))}`, {
          hint: `\`orgctl providers ${list}\` shows what is there.`,
        });
      }
      return targets.map((target, at): NamedTarget => ({ org, target, id: ids[at] }));
    });
    const items = values.flat();
    const present = items.filter(({ id }) => id !== undefined);
    await ask(session, present, describe, (what) => `Delete ${what}?`, 'providers');
    await runBatch<NamedTarget>(session, items, {
      label: 'Deleting',
      ...PROVIDER_BATCH,
      failures,
      async act({ org, target, id }) {
        if (id === undefined) return { result: 'unchanged' };
        return (await deleteTarget(client, org, target)) && { result: 'deleted' };
      },
      sentence: ({ org, target }, { result }) => {
        const what = `${formatTarget(target)} from ${org}`;
        const same = `${formatTarget(target)} is not in ${org}`;
        return tell(result, { same, would: `delete ${what}`, done: `Deleted ${what}` });
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
    if (provider.split('/').length === 3 || session.prompts.canAsk()) return target;
    throw new UsageError(`'${text}' is not a full address`, { hint: `Did you mean ${formatTarget(target)}?` });
  });
  return dropDuplicates(targets);
}

async function findId(client: Client, findListed: FindListed, { version, platform, ...address }: ProviderTarget) {
  if (version === undefined) return findListed(address);
  const found = platform
    ? await findPlatform(client, { ...address, version, ...platform })
    : await findVersion(client, { ...address, version });
  return found?.id;
}

function deleteTarget(client: Client, org: string, { version, platform, ...address }: ProviderTarget) {
  if (version === undefined) return deleteProvider(client, org, address);
  return platform
    ? deletePlatform(client, { ...address, version, ...platform })
    : deleteVersion(client, { ...address, version });
}

/** `private/acme/billing and its versions from acme` */
function describe({ org, target }: NamedTarget): string {
  const parts = target.version === undefined ? 'versions' : 'platforms';
  const hasParts = target.registry === 'private' && !target.platform;
  return `${formatTarget(target)}${hasParts ? ` and its ${parts}` : ''} from ${org}`;
}

import semver from 'semver';
import { runBatch, tell } from '../../cli/batch.ts';
import { defineVerb } from '../../cli/command.ts';
import { argument, option } from '../../cli/options.ts';
import { UsageError } from '../../lib/errors.ts';
import { readInputBytes } from '../../lib/input.ts';
import { type Columns, ID, RESULT } from '../../output/columns.ts';
import { formatPlatform, formatTarget, parsePrivateAddress } from '../../providers/address.ts';
import { type Publication, planPublication, publish as publishRelease } from '../../providers/publish.ts';
import { readRelease } from '../../providers/release.ts';
import { verifySignature } from '../../providers/signature.ts';
import { completeProviders, createScope } from './addresses.ts';

const COLUMNS: Columns = {
  table: [RESULT, { header: 'ADDRESS', field: 'address' }, ID],
  fields: 'changed error.code error.message',
};

export const verb = defineVerb({
  columns: COLUMNS,
  arguments: [
    argument('<address>', 'a private provider', { complete: completeProviders('private') }),
    argument('<version>', 'such as 1.2.0', { parse: parseVersion }),
  ],
  options: [
    option('--dir <folder>', 'the folder with the zip files, SHA256SUMS and its signature', { isRequired: true }),
    option('--public-key <file>', 'the key that made the signature (default: one that the organization has)'),
  ],
  examples: [
    'providers publish billing 1.2.0 --dir dist --public-key key.asc --dry-run',
    'providers publish billing 1.2.0 --dir dist --public-key key.asc',
  ],
  async run(session, { dir, publicKey }, text, version) {
    const { client, runtime, messages, progress } = session;
    const { signal } = session.signals;
    const org = session.org();
    const address = { ...parsePrivateAddress(text, createScope(session, org)), version };
    const release = await readRelease({ ...address, dir, cwd: runtime.cwd, signal, progress });
    const bytes = publicKey === undefined ? undefined : await readInputBytes(publicKey, runtime.cwd, signal);
    const givenKey = bytes && (await verifySignature(release.signed, bytes, runtime.now(), publicKey));
    if (!release.protocols) messages.note(`no manifest in ${dir}: protocol 5.0 is assumed`);
    const publication = { client, org, address, release, givenKey, runtime, signal, progress, warn: messages.warn };
    const plan = await planPublication(publication);
    const name = formatTarget(address);
    await runBatch<Publication>(session, [publication], {
      label: 'Publishing',
      failures: [],
      columns: COLUMNS,
      isOne: true,
      name: () => name,
      row: () => ({ id: plan.id ?? null, type: 'registry-provider-versions', address: name }),
      async act(item) {
        const isNew = plan.steps.length > 0;
        if (session.isDryRun && isNew) return undefined;
        return { result: isNew ? 'published' : 'unchanged', id: await publishRelease(item, plan) };
      },
      sentence: (_item, { result }) =>
        tell(result, {
          same: `${name} is already published`,
          would: `publish ${name} (${plan.steps.map((step) => step.name).join(', ')})`,
          done: `Published ${name} (${release.platforms.map(formatPlatform).join(', ')})`,
        }),
    });
  },
});

/** Keeps build metadata, which is a part of the names of files. */
function parseVersion(text: string, name: string): string {
  const version = text.replace(/^v/, '');
  if (semver.valid(version) === version.replace(/\+.*/s, '')) return version;
  throw new UsageError(`${name} must look like 1.2.0, not '${text}'`);
}

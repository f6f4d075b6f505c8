import semver from 'semver';
import { runBatch } from '../../cli/batch.ts';
import { defineVerb } from '../../cli/command.ts';
import { argument, option } from '../../cli/options.ts';
import type { Session } from '../../cli/session.ts';
import { copyError, formatReason, OrgctlError, UsageError } from '../../lib/errors.ts';
import type { ExitName } from '../../lib/exit-codes.ts';
import { readInputBytes } from '../../lib/input.ts';
import { type Columns, ID, RESULT } from '../../output/columns.ts';
import { formatPlatform, parsePrivateAddress } from '../../providers/address.ts';
import {
  formatVersion,
  type Publication,
  type PublicationPlan,
  planPublication,
  publish as publishRelease,
} from '../../providers/publish.ts';
import { type Release, readRelease } from '../../providers/release.ts';
import { verifySignature } from '../../providers/signature.ts';
import { completeProviders, createScope } from './addresses.ts';

const COLUMNS: Columns = {
  table: [RESULT, { header: 'ADDRESS', field: 'address' }, ID],
  fields: ['changed', 'error.code', 'error.message'],
};

/** After these, the next run reads what is there, and does the rest. */
const UNFINISHED = new Set<ExitName>([
  'outcome-unknown',
  'unavailable',
  'incomplete',
  'interrupted',
  'terminated',
  'hangup',
]);

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
    const givenKey = publicKey === undefined ? undefined : await verify(session, release, publicKey);
    if (!release.protocols) messages.note(`no manifest in ${dir}: protocol 5.0 is assumed`);
    const publication = { client, org, address, release, givenKey, runtime, signal, progress, warn: messages.warn };
    const plan = await planPublication(publication);
    const name = formatVersion(address);
    const parts = [...plan.setup, ...plan.uploads].map((step) => step.name);
    await runBatch<Publication>(session, [publication], {
      label: 'Publishing',
      columns: COLUMNS,
      isOne: true,
      name: () => name,
      row: () => ({ id: plan.id ?? null, type: 'registry-provider-versions', address: name }),
      act: (item) => publishOne(session, item, plan),
      sentence(_item, { result }) {
        if (result === 'planned') return { sign: 'Would', text: `publish ${name} (${parts.join(', ')})` };
        if (result === 'unchanged') return { sign: '=', text: `${name} is already published` };
        return { sign: '✓', text: `Published ${name} (${release.platforms.map(formatPlatform).join(', ')})` };
      },
    });
  },
});

/** Keeps build metadata, which is a part of the names of files. */
function parseVersion(text: string, name: string): string {
  const version = text.replace(/^v/, '');
  if (semver.valid(version) === version.replace(/\+.*/s, '')) return version;
  throw new UsageError(`${name} must look like 1.2.0, not '${text}'`);
}

/** Throws UsageError. */
async function verify({ runtime, signals }: Session, { signed, signature }: Release, path: string) {
  const bytes = await readInputBytes(path, runtime.cwd, signals.signal);
  try {
    return await verifySignature(signed, bytes, runtime.now(), path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${signature.name} is not a signature by ${path}`, {
      code: 'release',
      reasons: [formatReason(error)],
      cause: error,
    });
  }
}

async function publishOne({ isDryRun }: Session, publication: Publication, plan: PublicationPlan) {
  const isNew = plan.setup.length + plan.uploads.length > 0;
  if (isDryRun && isNew) return undefined;
  try {
    const id = await publishRelease(publication, plan);
    return { result: isNew ? 'published' : 'unchanged', id };
  } catch (error) {
    if (!(error instanceof OrgctlError) || !UNFINISHED.has(error.exit)) throw error;
    throw copyError(error, { hint: 'Run the same command again: it does what is left.' });
  }
}

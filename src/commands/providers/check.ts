import type { ProviderAddress } from '../../api/providers.ts';
import { defineVerb } from '../../cli/command.ts';
import { argument, COUNT_OPTION } from '../../cli/options.ts';
import { OrgctlError } from '../../lib/errors.ts';
import { readInput } from '../../lib/input.ts';
import { isSameName, plural } from '../../lib/text.ts';
import { formatAddress, parseSource, readListed } from '../../providers/address.ts';
import { parseLockFile } from '../../providers/lock-file.ts';
import { createScope } from './addresses.ts';
import { CHECK_COLUMNS } from './columns.ts';

const MAX_NAMED = 10;

interface Use {
  /** Undefined for a provider of another registry. */
  address: ProviderAddress | undefined;
  name: string;
  files: string[];
}

export const verb = defineVerb({
  columns: CHECK_COLUMNS,
  arguments: [argument('<files...>', 'lock files of Terraform; - is stdin')],
  options: [COUNT_OPTION],
  examples: ['providers check .terraform.lock.hcl', 'providers check */.terraform.lock.hcl -o markdown'],
  async run(session, _options, paths) {
    const { client, output } = session;
    const scope = createScope(session, session.org());
    const uses = new Map<string, Use>();
    for (const path of new Set(paths)) {
      const { name, text } = await readInput(session, path);
      for (const source of parseLockFile(text, name)) {
        const address = parseSource(source, scope.host);
        const use = uses.get(source) ?? { address, name: address ? formatAddress(address) : source, files: [] };
        use.files.push(name);
        uses.set(source, use);
      }
    }
    const findListed = await readListed(client, scope.org);
    const used = [...uses.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
    const missing = used.filter(({ address }) => !address || findListed(address) === undefined);
    const createRow = (use: Use) => ({
      address: use.name,
      status: missing.includes(use) ? 'not-listed' : 'listed',
      file: use.files,
    });
    await output.list(CHECK_COLUMNS, [used.map(createRow)]);
    assertNothingMissing(scope.org, missing, used.length);
  },
});

function assertNothingMissing(org: string, missing: Use[], count: number): void {
  if (missing.length === 0) return;
  const addable = missing.flatMap(({ address }) =>
    address && (address.registry === 'public' || isSameName(address.namespace, org)) ? [formatAddress(address)] : [],
  );
  throw new OrgctlError('attention', `${org} doesn't list ${missing.length} of ${plural(count, 'provider')}`, {
    code: 'not-listed',
    reasons: missing.slice(0, MAX_NAMED).map((use) => `${use.name} (${use.files.join(', ')})`),
    hint:
      addable.length === 0
        ? undefined
        : `Add them: \`orgctl providers create ${addable.slice(0, MAX_NAMED).join(' ')}\``,
  });
}

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

export const verb = defineVerb({
  columns: CHECK_COLUMNS,
  arguments: [argument('<files...>', 'lock files of Terraform; - is stdin')],
  options: [COUNT_OPTION],
  examples: ['providers check .terraform.lock.hcl', 'providers check */.terraform.lock.hcl -o markdown'],
  async run(session, _options, paths) {
    const { client, output } = session;
    const { org, host } = createScope(session, session.org());
    const files = new Map<string, string[]>();
    for (const path of new Set(paths)) {
      const { name, text } = await readInput(session, path);
      for (const source of parseLockFile(text, name)) {
        const users = files.get(source) ?? [];
        users.push(name);
        files.set(source, users);
      }
    }
    const findListed = await readListed(client, org);
    const uses = [...files].map(([source, file]) => {
      // Undefined for a provider of another registry.
      const provider = parseSource(source, host);
      const isListed = provider !== undefined && findListed(provider) !== undefined;
      const address = provider ? formatAddress(provider) : source;
      return { provider, row: { address, status: isListed ? 'listed' : 'not-listed', file } };
    });
    uses.sort(({ row: one }, { row: other }) => (one.address < other.address ? -1 : 1));
    await output.list(CHECK_COLUMNS, [uses.map(({ row }) => row)]);
    const missing = uses.filter(({ row }) => row.status === 'not-listed');
    if (missing.length === 0) return;
    const addable = missing.flatMap(({ provider, row }) =>
      provider?.registry === 'public' || (provider && isSameName(provider.namespace, org)) ? [row.address] : [],
    );
    const add = `Add them: \`orgctl providers create ${addable.slice(0, MAX_NAMED).join(' ')}\``;
    throw new OrgctlError('attention', `${org} doesn't list ${missing.length} of ${plural(uses.length, 'provider')}`, {
      code: 'not-listed',
      reasons: missing.slice(0, MAX_NAMED).map(({ row }) => `${row.address} (${row.file.join(', ')})`),
      hint: addable.length > 0 ? add : undefined,
    });
  },
});

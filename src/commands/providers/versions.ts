import { type PublicVersion, readPublicVersions } from '../../api/registry-protocol.ts';
import { defineVerb } from '../../cli/command.ts';
import { COUNT_OPTION } from '../../cli/options.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import { formatAddress, parseAddress } from '../../providers/address.ts';
import { NO_VERSION, readVersionRows, sortVersions } from '../../providers/readiness.ts';
import { ADDRESS_ARGUMENT, createScope } from './addresses.ts';
import { VERSION_COLUMNS } from './columns.ts';

export const verb = defineVerb({
  columns: VERSION_COLUMNS,
  arguments: [ADDRESS_ARGUMENT],
  options: [COUNT_OPTION],
  examples: ['providers versions hashicorp/aws', 'providers versions private/acme/inventory -o json'],
  async run(session, _options, text) {
    const { client, output, messages } = session;
    const address = parseAddress(text, createScope(session, session.org()));
    if (address.registry === 'public') {
      const rows = sortVersions(await readPublicVersions(client, address)).map(createRow);
      return output.list(VERSION_COLUMNS, [rows]);
    }
    const rows = await readVersionRows(client, address);
    await output.list(VERSION_COLUMNS, [rows]);
    const name = formatAddress(address);
    const unready = rows.map(({ version, missing }) => ({ name: `${name}@${version}`, missing }));
    for (const { name: what, missing } of rows.length === 0 ? [{ name, ...NO_VERSION }] : unready) {
      if (missing.length > 0) messages.note(`${what} can't be used yet: it has no ${missing.join(', no ')}`);
    }
  },
});

/** Formats platforms as in addresses. */
function createRow({ platforms, ...rest }: PublicVersion): JsonObject {
  const list = Array.isArray(platforms) ? platforms.filter(isObject) : [];
  return { ...rest, platforms: list.map(({ os, arch }) => `${os}_${arch}`) };
}

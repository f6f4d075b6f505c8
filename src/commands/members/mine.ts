import { flattenPages } from '../../api/flatten.ts';
import { listOwnMemberships } from '../../api/memberships.ts';
import { type PageOptions, readPages } from '../../api/pagination.ts';
import type { Verb } from '../../cli/command.ts';
import { INCLUDE_OPTION, PAGE_OPTIONS } from '../../cli/options.ts';
import { OWN_COLUMNS } from './columns.ts';

export const mine: Verb<PageOptions & { include?: string[] }> = {
  summary: 'List the organizations you are in',
  columns: OWN_COLUMNS,
  options: [INCLUDE_OPTION, ...PAGE_OPTIONS],
  examples: ['members mine', 'members mine --fields organization.id'],
  async run({ client, output, messages }, { include, page, pageSize, limit }) {
    const mode = output.isStreamed ? 'stream' : 'buffer';
    const options = { page, pageSize, limit, mode, warn: messages.warn } as const;
    const pages = readPages(listOwnMemberships(client, { own: ['user', 'teams'], asked: include }, options));
    await output.list(OWN_COLUMNS, flattenPages(pages));
  },
};

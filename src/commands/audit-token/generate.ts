import { createToken } from '../../api/tokens.ts';
import type { Verb } from '../../cli/command.ts';
import { assertTextOrJson, option } from '../../cli/options.ts';
import { ALLOW_ENTERPRISE, findAuditToken } from '../../cli/tokens.ts';
import { OrgctlError } from '../../lib/errors.ts';
import { formatTime } from '../../lib/time.ts';
import { formatOrg } from '../../output/columns.ts';
import { parseExpires } from '../../tokens/expiry.ts';
import { describeToken } from '../../tokens/token.ts';
import { NEW_TOKEN_COLUMNS } from './columns.ts';

interface Options {
  expires?: string;
  allowEnterprise?: boolean;
}

export const generate: Verb<Options> = {
  summary: 'Create an audit trail token that replaces the current one, and print its secret',
  columns: NEW_TOKEN_COLUMNS,
  options: [
    option('--expires <when>', 'when it expires: a date, an instant, a duration such as 90d, or never'),
    ALLOW_ENTERPRISE,
  ],
  examples: ['audit-token generate --expires 90d --yes > audit-token', 'audit-token generate --yes -o json'],
  async run(session, options) {
    const { client, runtime, output, messages, confirm } = session;
    const { expires, allowEnterprise, query } = options;
    const isJson = query !== undefined || options.output === 'json';
    assertTextOrJson({ output: options.output }, 'generate, which prints the secret');
    const org = session.org();
    const now = runtime.now();
    const expiredAt = expires === undefined ? undefined : parseExpires(expires, now);
    const token = await findAuditToken(session, org, allowEnterprise);
    const name = describeToken(token);
    await confirm(`${describeToken(token, 'current')} stops working at once. Replace it?`);
    const created = await createToken(client, token, expiredAt);
    if (!created) return messages.note(`Would replace ${name}`);
    const { secret, id = null, createdAt, expiredAt: end } = created;
    session.redactor.add(secret);
    const record = { id, type: 'authentication-tokens', 'created-at': createdAt, 'expired-at': end, token: secret };
    try {
      if (isJson) await output.one(NEW_TOKEN_COLUMNS, { ...record, organization: formatOrg(org) });
      else await output.secret(`${secret}\n`);
    } catch (error) {
      const why = error instanceof OrgctlError ? error.message : 'stdout is closed';
      throw new OrgctlError('not-delivered', `${name} was replaced, but the new one is lost: ${why}`, { cause: error });
    }
    const until = end === undefined ? '' : `; it ${end === null ? 'never expires' : `expires ${formatTime(end, now)}`}`;
    if (output.isForPeople) messages.done(`Created ${describeToken(token, 'new')}${until}`);
  },
};

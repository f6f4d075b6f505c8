import { createToken } from '../../api/tokens.ts';
import { defineVerb } from '../../cli/command.ts';
import { assertPlain } from '../../cli/global-options.ts';
import { option } from '../../cli/options.ts';
import { OrgctlError, UsageError } from '../../lib/errors.ts';
import { createOrgRecord } from '../../lib/json.ts';
import { type Columns, ID } from '../../output/columns.ts';
import { ClosedPipe } from '../../output/writer.ts';
import { formatEnd, parseExpires } from '../../tokens/expiry.ts';
import { createQuestion, describeToken } from '../../tokens/token.ts';
import { ALLOW_ENTERPRISE, findAuditToken } from '../tokens/shared/find.ts';

/** No other output has the secret. */
const COLUMNS: Columns = {
  table: [ID, ...['created-at', 'expired-at', 'organization.id', 'token'].map((field) => ({ header: field, field }))],
  fields: 'type changed result',
};

export const verb = defineVerb({
  columns: COLUMNS,
  options: [
    option('--expires <when>', 'when it expires: a date, an instant, a duration such as 90d, or never'),
    ALLOW_ENTERPRISE,
  ],
  examples: ['audit-token generate --expires 90d --yes > audit-token', 'audit-token generate --yes -o json'],
  async run(session, options) {
    const { client, runtime, output, messages, confirm, settings } = session;
    const { expires, allowEnterprise, query, fields } = options;
    assertPlain({ output: settings.output.value, query }, 'generate, which prints the secret', ['-o json']);
    const isJson = output.format === 'json';
    if (fields !== undefined && !(isJson && /(^|,) *token *(,|$)/.test(fields))) {
      throw new UsageError('--fields needs -o json and token, which is shown only once');
    }
    const org = session.org();
    const now = runtime.now();
    const expiredAt = expires === undefined ? undefined : parseExpires(expires, now);
    const token = await findAuditToken(session, org, allowEnterprise);
    const name = describeToken(token);
    await confirm(createQuestion(token));
    const created = await createToken(client, token, expiredAt);
    const row = { id: created?.id ?? null, type: 'authentication-tokens', organization: createOrgRecord(org) };
    if (!created && isJson) return output.one(COLUMNS, { ...row, changed: false, result: 'planned' });
    if (!created) return messages.note(`Would replace ${name}`);
    const { secret, createdAt, expiredAt: end } = created;
    session.redactor.add(secret);
    const times = { 'created-at': createdAt, 'expired-at': end };
    try {
      if (isJson) await output.one(COLUMNS, { ...row, ...times, token: secret, changed: true });
      else await output.secret(`${secret}\n`);
      if (output.isClosed) throw new ClosedPipe();
    } catch (error) {
      const why = error instanceof OrgctlError ? error.message : 'stdout is closed';
      throw new OrgctlError('not-delivered', `${name} was replaced, but the new one is lost: ${why}`, { cause: error });
    }
    if (output.isForPeople) messages.done(`Created ${describeToken(token, 'new')}${formatEnd(end, now)}`);
  },
});

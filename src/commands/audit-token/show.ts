import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context.ts';
import { OrgctlError, ServiceError } from '../../errors.ts';
import { createJournal } from '../../rotation/journal.ts';
import { findEvidence } from '../../service/enterprise.ts';
import type { Service } from '../../service/service.ts';
import { parseDuration } from '../../when.ts';
import type { ResourceDocument } from '../../wire/json-api.ts';
import { AUTHENTICATION_TOKENS } from '../../wire/resources.ts';
import { addExamples } from '../options.ts';
import { AUDIT_TOKEN_VIEW } from '../views/audit-token.ts';

interface Flags {
  readonly failIfExpiresWithin?: string;
}

interface Input {
  /** Milliseconds; undefined for no check. */
  readonly failWithin: number | undefined;
}

export function registerShow(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('show')
    .alias('get')
    .description('show when the token was made, used and expires; never its secret')
    .option('--fail-if-expires-within <duration>', 'exit 13 when it expires within, say, 30d');
  addExamples(verb, [
    { command: 'orgctl audit-token show --org acme', shows: 'the present token' },
    {
      command: 'orgctl audit-token show --org acme --fail-if-expires-within 30d -q',
      shows: 'for monitoring: exit 13 in its last 30 days',
    },
  ]).action(async function (this: Command, flags: Flags) {
    await showAuditToken(open(this), toShowInput(flags));
  });
}

function toShowInput(flags: Flags): Input {
  return {
    failWithin:
      flags.failIfExpiresWithin === undefined
        ? undefined
        : parseDuration(flags.failIfExpiresWithin, '--fail-if-expires-within'),
  };
}

async function showAuditToken(context: Context, input: Input): Promise<void> {
  const organization = context.organization();
  const service = await context.service();
  const { document, extra } = await service.auditTokens.show(organization).then(
    (found) => ({ document: found, extra: {} }),
    (error: unknown) => {
      const record = isRouteMissing(error, service) ? readLocalRecord(context) : undefined;
      if (record === undefined) throw error;
      context.note(`this service does not show its token: this is the one that was delivered from here last`);
      return { document: record, extra: { source: 'local-record' } };
    },
  );
  warnOfEnterprise(context, service);
  await (await context.output()).one(AUDIT_TOKEN_VIEW, document, extra);
  const expiredAt = document.data.attributes?.['expired-at'];
  if (input.failWithin === undefined || typeof expiredAt !== 'string') return;
  const left = Date.parse(expiredAt) - context.host.now();
  if (left > input.failWithin) return;
  throw new OrgctlError(
    'attention',
    `the audit trail token of ${organization} ${left > 0 ? 'expires' : 'expired'} ${expiredAt}`,
    {
      code: 'expiring',
      hint: `Make a new one before the present one ends: ${context.nextCommand(['orgctl', 'audit-token', 'rotate', '--expires', 'same', '--to'])} file:PATH`,
    },
  );
}

/** After a reading: what was read there is another token. */
function warnOfEnterprise(context: Context, service: Service): void {
  const evidence = findEvidence(service);
  if (evidence === undefined) return;
  context.warn(`this service is Terraform Enterprise (${evidence}): what it shows is the main organization token`);
}

/** A service that names its API version has the route: its 404 speaks of the token. */
function isRouteMissing(error: unknown, { identity }: Service): boolean {
  return error instanceof ServiceError && error.status === 404 && identity.apiVersion === undefined;
}

/** The token that a rotation delivered last; undefined where none is remembered. */
function readLocalRecord({ organizationStateDirectory, uniqueName, host }: Context): ResourceDocument | undefined {
  const journal = createJournal(organizationStateDirectory(), { unique: uniqueName(), user: host.user });
  const { last } = journal.read();
  if (last === undefined) return undefined;
  const attributes = { 'created-at': last.createdAt ?? null, 'expired-at': last.expiredAt ?? null };
  return { data: { id: last.id, type: AUTHENTICATION_TOKENS, attributes } };
}

import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { OrgctlError } from '../../errors.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { findRecord, isRouteMissing, toTimes, toTokenFacts } from '../../rotation/current-token.ts';
import { toExpiry } from '../../rotation/expiry-check.ts';
import { findEvidence } from '../../service/enterprise.ts';
import type { Service } from '../../service/service.ts';
import { parseDuration } from '../../when.ts';
import type { ResourceDocument } from '../../wire/json-api.ts';
import { AUTHENTICATION_TOKENS } from '../../wire/resources.ts';
import { AUDIT_TOKEN_COLUMNS } from './columns.ts';
import { openTokenState } from './token-state.ts';

export function registerShow(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('show')
    .alias('get')
    .description('Show when the token was created, used and expires')
    .option('--fail-if-expires-within <duration>', 'Exit 13 when it expires within this time, such as 30d');
  addDocumentation(verb, {
    examples: ['orgctl audit-token show', 'orgctl audit-token show --fail-if-expires-within 30d -q'],
    columns: AUDIT_TOKEN_COLUMNS,
  }).action(async (flags: { readonly failIfExpiresWithin?: string }) => {
    const context = open(verb);
    const now = context.places.host.now();
    const within = flags.failIfExpiresWithin;
    const failWithin = within === undefined ? undefined : parseDuration(within, '--fail-if-expires-within', now);
    await showAuditToken(context, failWithin);
  });
}

/** `failWithin`: milliseconds; undefined for no check. */
async function showAuditToken(context: Context, failWithin: number | undefined): Promise<void> {
  const { identity, screen, services, places } = context;
  const organization = identity.organization();
  const service = await services.current();
  const { document, extra } = await findToken(context, service);
  const evidence = findEvidence(service);
  if (evidence !== undefined) {
    screen.warn(`this is Terraform Enterprise (${evidence}): it shows the main organization token`);
  }
  await (await screen.output()).one(AUDIT_TOKEN_COLUMNS, document, extra);
  const { expiredAt } = toTokenFacts(document);
  if (expiredAt === undefined) {
    const unknown = `unknown when ${organization}'s audit trail token expires`;
    if (failWithin === undefined) return screen.note(`It is ${unknown}.`);
    throw new OrgctlError('attention', unknown, {
      code: 'unknown',
      hint: 'Rotate it with --expires: orgctl remembers the expiry that the service then gives.',
    });
  }
  if (failWithin === undefined || expiredAt === null) return;
  const left = Date.parse(expiredAt) - places.host.now();
  if (left > failWithin) return;
  throw new OrgctlError('attention', `${organization}'s audit trail token ${toExpiry(expiredAt, places.host.now())}`, {
    code: 'expiring',
    hint: `Replace it${left > 0 ? ' in time' : ''}: ${identity.nextCommand(['orgctl', 'audit-token', 'rotate', '--expires', 'same', '--to'])} file:<path>`,
  });
}

/** What the service shows, or what is remembered here where it has no such route. Throws its refusal. */
async function findToken(
  context: Context,
  service: Service,
): Promise<{ document: ResourceDocument; extra: Record<string, string> }> {
  const { journal, createReader } = openTokenState(context);
  const metadata = await createReader(service).read();
  const organization = context.identity.organization();
  if (metadata.kind === 'found') return { document: metadata.document, extra: { organization } };
  const record = isRouteMissing(metadata) ? findRecord(journal.read()) : undefined;
  if (record === undefined) throw metadata.refusal;
  context.screen.note('This service does not show its token. This is the one that was created from here last.');
  const data = { id: record.id, type: AUTHENTICATION_TOKENS, attributes: toTimes(record) };
  return { document: { data }, extra: { organization, source: 'local-record' } };
}

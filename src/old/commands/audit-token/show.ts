import type { Context } from '../../context/context.ts';
import { OrgctlError } from '../../errors.ts';
import { foldName, sortNames } from '../../names.ts';
import { toOrganization } from '../../resources/organization.ts';
import {
  findRecord,
  isNotFound,
  isRouteMissing,
  toTimes,
  toTokenFacts,
  type Unseen,
} from '../../rotation/current-token.ts';
import { toExpiry } from '../../rotation/expiry-check.ts';
import { findEvidence, isOrganizationToken } from '../../service/enterprise.ts';
import type { Service } from '../../service/service.ts';
import { listHidden, maySeeTokens, type NotFound, toUnknownExpiry } from '../../tokens/not-found.ts';
import { openTokenState } from '../../tokens/token-state.ts';
import { DAY } from '../../when.ts';
import type { ResourceDocument } from '../../wire/json-api.ts';
import { AUTHENTICATION_TOKENS, type Token } from '../../wire/resources.ts';
import type { Given } from '../dates.ts';
import { ORGANIZATIONS, ofSeveral, showEach } from '../organizations.ts';
import { toFailedStatus } from '../row-error.ts';
import { type Within, within } from '../token-options.ts';
import { verb } from '../verb.ts';
import { AUDIT_TOKEN_COLUMNS, AUDIT_TOKEN_STATUS_COLUMNS, type TokenStatus, type TokenStatusRow } from './columns.ts';

/** Of several tokens, one that expires within this time is said to, in milliseconds. */
const SOON = 30 * DAY;

export const show = verb({
  name: 'audit-token show',
  aliases: ['get'],
  help: 'Show when the token was created, used and expires',
  effect: 'reads',
  options: {
    within: within('--fail-if-expires-within <duration>', 'Exit 13 if the token expires within this time, such as 30d'),
    ...ORGANIZATIONS,
  },
  examples: [
    'orgctl audit-token show',
    'orgctl audit-token show --fail-if-expires-within 30d -q',
    'orgctl audit-token show --all-orgs --fail-if-expires-within 30d',
  ],
  columns: AUDIT_TOKEN_COLUMNS,
  others: ofSeveral(AUDIT_TOKEN_STATUS_COLUMNS),
  printsOne: true,
  async run(context, { within }) {
    const { isOne } = context.organizations;
    const rows = await (isOne ? showAuditToken(context, within) : showAuditTokens(context, within));
    if (within !== undefined) refuseExpiring(context, rows, within);
  },
});

async function showAuditToken(context: Context, within: Within | undefined): Promise<readonly Row[]> {
  const { identity, screen, services, places } = context;
  const organization = identity.organization();
  const service = await services.current();
  const token = await findToken(context, service);
  if ('refusal' in token) throw token.refusal;
  const { document, extra } = token;
  if ('source' in extra) {
    screen.note('This service does not show its token. This is the one that was created from here last.');
  }
  warnOfEnterprise(context, service);
  await (await screen.output()).one(AUDIT_TOKEN_COLUMNS, document, {
    organization: toOrganization(organization),
    ...extra,
  });
  const row = toFoundRow(organization, token, places.host.now(), within);
  if (within === undefined && row.attributes.status === 'unknown') {
    screen.note(`It is ${describeUnknown(organization)}.`);
  }
  return [row];
}

const REMEMBERED = 'Rotate it with --expires: orgctl remembers the expiry that the service then gives.';

function warnOfEnterprise({ screen }: Context, service: Service): void {
  const evidence = findEvidence(service);
  if (evidence !== undefined) {
    screen.warn(`this is Terraform Enterprise (${evidence}): it shows the main organization token`);
  }
}

/** A row for each organization, also for one without a token. */
async function showAuditTokens(context: Context, within: Within | undefined): Promise<readonly Row[]> {
  const { organizations, services, places } = context;
  const service = await services.current();
  const now = places.host.now();
  const hidden: (NotFound & { readonly organization: string })[] = [];
  const found = await showEach(
    context,
    AUDIT_TOKEN_STATUS_COLUMNS,
    async (one, organization) => {
      const token = await findToken(one, service);
      if (!('refusal' in token)) return toFoundRow(organization, token, now, within);
      const { refusal } = token;
      // An answer that is not in the service's own form says nothing about the token.
      if (!isNotFound(token) || refusal.errors.length === 0) throw refusal;
      // A named organization that the token does not reach says nothing about the token either.
      const reach = await organizations.reach();
      if (reach?.has(foldName(organization)) === false) throw refusal;
      if (within !== undefined) {
        const maySee = await maySeeTokens(service, organization);
        hidden.push({ organization, maySee, hasRoute: token.kind === 'absent' });
      }
      return toRow(organization, undefined, { status: 'none-or-not-permitted' });
    },
    (organization, error) => toRow(organization, undefined, { status: toFailedStatus(error), error }),
  ).finally(() => warnOfEnterprise(context, service));
  const isShown = found.some(({ id, attributes }) => id !== null && attributes.source === undefined);
  const unknown = listHidden(hidden, () => isShown);
  if (unknown.length === 0) return found;
  throw toUnknownExpiry(`unknown when ${unknown.length} of ${found.length} audit trail tokens expire`, unknown, {
    reasons: sortNames(unknown.map(({ organization }) => organization)).map(
      (organization) => `${organization}: it has none, or you can't see it`,
    ),
    otherwise: 'name the other organizations with --orgs',
  });
}

function toFoundRow(organization: string, { document, extra }: Shown, now: number, within: Within | undefined) {
  const status = judgeExpiry(toTokenFacts(document).expiredAt, now, within?.time ?? SOON);
  return toRow(organization, document.data, { ...extra, status });
}

function judgeExpiry(expiredAt: string | null | undefined, now: number, within: number): TokenStatus {
  if (expiredAt === undefined) return 'unknown';
  if (expiredAt === null) return 'ok';
  const left = Date.parse(expiredAt) - now;
  return left <= 0 ? 'expired' : left <= within ? 'expiring' : 'ok';
}

type Row = ReturnType<typeof toRow>;

function toRow(
  organization: string,
  token: Token | undefined,
  added: Pick<TokenStatusRow, 'error' | 'source' | 'status'>,
) {
  const { id = null, attributes, relationships } = token ?? {};
  return {
    id,
    type: AUTHENTICATION_TOKENS,
    attributes: { ...attributes, ...added },
    relationships: { ...relationships, organization: { data: toOrganization(organization) } },
  };
}

/** Throws where one expires too soon, or where no one knows when. */
function refuseExpiring({ identity, organizations, places }: Context, rows: readonly Row[], { text }: Given): void {
  const { isOne } = organizations;
  const bad = rows.filter(({ attributes: { status } }) => ['expiring', 'expired', 'unknown'].includes(status));
  const reasons = bad.map(({ attributes: { status, 'expired-at': expires }, relationships }) => {
    const { id } = relationships.organization.data;
    return typeof expires === 'string' && status !== 'unknown'
      ? `${id}'s audit trail token ${toExpiry(expires, places.host.now())}`
      : describeUnknown(id);
  });
  const [first] = reasons;
  if (first === undefined) return;
  const isUnknown = bad.every(({ attributes: { status } }) => status === 'unknown');
  const count = `${bad.length} of ${rows.length} audit trail tokens`;
  const several = isUnknown ? `unknown when ${count} expire` : `${count} need attention`;
  const condition = isOne ? [] : ['--if-expires-within', text];
  const place = isOne ? 'file:./audit-token' : 'file:./{org}.token';
  // A place that is stored is used by itself.
  const to = identity.settings.to.value === undefined ? ['--to', place] : [];
  const elsewhere = to.length === 0 ? '' : ', here into a file (other places: orgctl help rotation)';
  const isLate = isOne && bad[0]?.attributes.status === 'expired';
  throw new OrgctlError('attention', isOne ? first : several, {
    code: isUnknown ? 'unknown' : 'expiring',
    reasons: isOne ? [] : reasons,
    ...(isUnknown
      ? { hint: REMEMBERED }
      : {
          hint: `Replace ${isOne ? 'it' : 'them'}${isLate ? '' : ' in time'}${elsewhere}:`,
          next: [['orgctl', 'audit-token', 'rotate', ...condition, '--expires', 'same', ...to]],
        }),
  });
}

function describeUnknown(organization: string): string {
  return `unknown when ${organization}'s audit trail token expires`;
}

interface Shown {
  readonly document: ResourceDocument;
  readonly extra: { readonly source?: 'local-record' };
}

/** The token as the service shows it. Where the service has no such route, the token as this machine remembers it. */
async function findToken(context: Context, service: Service): Promise<Shown | Unseen> {
  const { journal, createReader } = openTokenState(context);
  const metadata = await createReader(service).read();
  if (metadata.kind === 'found') {
    const { document } = metadata;
    const organization = context.identity.organization();
    if (await isOrganizationToken(service, organization, document.data.id)) {
      context.screen.warn(`this service has no audit trail tokens: it shows ${organization}'s main organization token`);
    }
    return { document, extra: {} };
  }
  const record = isRouteMissing(metadata) ? findRecord(journal.read()) : undefined;
  if (record === undefined) return metadata;
  const data = { id: record.id, type: AUTHENTICATION_TOKENS, attributes: toTimes(record) };
  return { document: { data }, extra: { source: 'local-record' } };
}

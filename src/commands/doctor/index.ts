import type { Context } from '../../context/context.ts';
import { OrgctlError } from '../../errors.ts';
import { toOrganization } from '../../resources/organization.ts';
import type { Service } from '../../service/service.ts';
import { countAny, countOrganizations } from '../../text/count.ts';
import { toPlainText } from '../../text/plain-text.ts';
import { ORGANIZATIONS, ofSeveral, showEach } from '../organizations.ts';
import { verb } from '../verb.ts';
import { examineCaller } from './caller.ts';
import { CHECK_COLUMNS, type CheckRow, ORGANIZATION_CHECK_COLUMNS, type OrganizationCheckRow } from './columns.ts';
import { examineConnection } from './connection.ts';
import { examineMaxExpires } from './expiry-limits.ts';
import { attention, type Finding, failed, failedBy, isFailed, ok, orFailed, toDetail } from './finding.ts';
import { examineFiles, examineRotations } from './kept.ts';
import { examineTokens } from './tokens.ts';

export const registerDoctor = verb({
  name: 'doctor',
  effect: 'reads',
  topic: 'environment',
  options: ORGANIZATIONS,
  examples: ['orgctl doctor', 'orgctl doctor -o json', 'orgctl doctor --all-orgs'],
  columns: CHECK_COLUMNS,
  others: ofSeveral(ORGANIZATION_CHECK_COLUMNS),
  /** Throws UsageError for settings that cannot be read: nothing can be checked then. */
  async run(context) {
    const { isOne } = context.organizations;
    const reached = await examineService(context, isOne ? examineCaller : async () => []);
    const findings = [
      ok('node', context.places.host.nodeVersion),
      examineSettings(context),
      examineFiles(context),
      reached,
      await examineRotations(context, !reached.some(isFailed)),
    ].flat();
    await (isOne ? showChecks(context, findings) : examineEach(context, findings));
  },
});

/**
 * Prints what every check found. Throws the exit of the first that failed, or `attention`. What cannot be checked because
 * of an earlier failure has no line.
 */
async function showChecks({ identity, screen }: Context, findings: readonly Finding[]): Promise<void> {
  await screen.list(
    CHECK_COLUMNS,
    findings.map(({ check, status, detail, fix, next: words = [] }): CheckRow => {
      const next = words.map(identity.nextCommand);
      return {
        check,
        status,
        detail,
        fix: fix === null ? null : [fix, ...next].filter((part) => part !== '').join(' '),
        ...(next.length === 0 ? {} : { next }),
      };
    }),
  );
  const { format } = await screen.output();
  const inSentences = format.forPeople && screen.requested.fields === undefined;
  const bad = findings.filter(({ status }) => status !== 'ok');
  const troubles = countTroubles(findings);
  const fine = findings.length - bad.length;
  const counts = bad.length === 0 ? 'all ok' : `${fine} ok, ${troubles.join(', ')}`;
  if (inSentences) await screen.print(`${findings.length} checks: ${counts}`);
  if (bad.length === 0) return;
  const exit = bad.find((finding) => finding.exit !== undefined)?.exit ?? 'attention';
  throw new OrgctlError(exit, troubles.join(', ').replace(' ', ` of ${findings.length} checks `), {
    reasons: inSentences ? [] : bad.map(({ check, status, detail }) => `${check}: ${status}: ${detail}`),
    hint: 'Each line of the result says what to do.',
  });
}

/**
 * A row for each organization: whether the token reaches it, and its audit trail token. What is the same for all of them is
 * checked before, and said only where it is not in order. Throws what of that failed: nothing more can be checked then.
 */
async function examineEach(context: Context, shared: readonly Finding[]): Promise<void> {
  const { screen, services } = context;
  const broken = shared.find(isFailed);
  if (broken !== undefined) throw toError({ ...broken, detail: `${broken.check}: ${broken.detail}` });
  for (const { check, detail } of shared.filter(({ status }) => status === 'attention')) {
    screen.warn(`${check}: ${detail}`);
  }
  const rows = await showEach(
    context,
    ORGANIZATION_CHECK_COLUMNS,
    async (one, organization) => {
      const service = await services.current();
      const findings = hideSecrets(service, [
        ...(await examineCaller(one, service)),
        await examineTokens(one, service),
      ]);
      const failed = findings.find(isFailed);
      if (failed !== undefined) throw toError(failed);
      return toOrganizationRow(organization, findings);
    },
    (id, error) => ({ ...toResult(id, 'failed'), finding: error.message, error }),
    { isSaid: true },
  );
  const bad = rows.filter(({ result }) => result === 'attention');
  if (bad.length === 0) return;
  const { format } = await screen.output();
  throw new OrgctlError(
    'attention',
    `${bad.length} of ${countOrganizations(rows.length)} ${bad.length === 1 ? 'needs' : 'need'} attention`,
    {
      reasons: format.forPeople ? [] : bad.map(({ organization: { id }, finding }) => `${id}: ${finding}`),
      hint: 'To see all checks of one, run doctor with --org.',
    },
  );
}

function toResult(id: string, status: Finding['status']) {
  return { organization: toOrganization(id), status, result: status };
}

function toOrganizationRow(organization: string, findings: readonly Finding[]): OrganizationCheckRow {
  const bad = findings.filter(({ status }) => status !== 'ok');
  // Whose token it is is the same everywhere.
  const said = bad.length > 0 ? bad : findings.filter(({ check }) => check !== 'caller');
  return {
    ...toResult(organization, bad.length > 0 ? 'attention' : 'ok'),
    finding: said.map(({ detail }) => detail).join('; '),
    fix: bad.map(({ fix }) => fix).find((fix) => fix !== null && fix !== '') ?? null,
  };
}

function toError({ exit = 'failure', detail, fix, next = [] }: Finding): OrgctlError {
  return new OrgctlError(exit, detail, { ...(fix === null || fix === '' ? {} : { hint: fix }), next });
}

/** `1 needs attention`, `2 failed` */
function countTroubles(findings: readonly Finding[]): readonly string[] {
  const count = (wanted: Finding['status']): number => findings.filter(({ status }) => status === wanted).length;
  const [attentive, broken] = [count('attention'), count('failed')];
  return [
    ...countAny(attentive, attentive === 1 ? 'needs attention' : 'need attention'),
    ...countAny(broken, 'failed'),
  ];
}

function examineSettings(context: Context): readonly Finding[] {
  const { identity } = context;
  const limit = examineMaxExpires(context);
  if (identity.isSandbox) return [ok('settings', 'the built-in sandbox'), ...limit];
  const { settings } = identity;
  const { value, source } = settings['base-url'];
  const unchecked = settings['insecure-skip-tls-verify'];
  const readOnly = settings['read-only'];
  const fix = "Unset it, and add your authority's certificate with --ca-file.";
  return [
    ok('settings', `the service is ${value} (${source})`),
    ...(readOnly.value ? [ok('settings', `read-only mode is on (from ${readOnly.source})`)] : []),
    ...(unchecked.value ? [attention('settings', `TLS certificates are not checked (${unchecked.source})`, fix)] : []),
    ...limit,
  ];
}

/** A service may send the token back, in whatever place. */
function hideSecrets({ redact }: Pick<Service, 'redact'>, findings: readonly Finding[]): readonly Finding[] {
  return findings.map((finding) => ({
    ...finding,
    detail: redact(toPlainText(finding.detail)),
    fix: finding.fix === null ? null : redact(toPlainText(finding.fix)),
  }));
}

async function examineService(
  context: Context,
  examineMore: (context: Context, service: Service) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const { services } = context;
  try {
    const token = await examineToken(context);
    const service = await (isFailed(token) ? services.withoutToken() : services.current());
    const connection = await examineConnection(context, service);
    const more = [...connection, token].some(isFailed) ? [] : await examineMore(context, service);
    return hideSecrets(service, [...connection, token, ...more]);
  } catch (error) {
    // A state of the sandbox that cannot be used, or a certificate file that is none.
    if (error instanceof OrgctlError && error.exit === 'usage') return [failedBy('service', error)];
    throw error;
  }
}

async function examineToken({ identity }: Context): Promise<Finding> {
  if (identity.isSandbox) return ok('token', "the sandbox's own");
  const found = orFailed('token', () => {
    const choice = identity.findToken();
    if (choice.found) return ok('token', `from ${choice.source}, for ${choice.origin}`);
    const detail = toDetail(`none for ${identity.serviceOrigin()}`, choice.reasons);
    const fix = 'To try orgctl without an account, add --sandbox. Otherwise set ORGCTL_TOKEN, or run:';
    return failed('token', 'not-authenticated', detail, fix, ['orgctl', 'auth', 'login']);
  });
  if (isFailed(found)) return found;
  try {
    // A command may print it.
    await identity.readToken();
    return found;
  } catch (error) {
    if (error instanceof OrgctlError && error.exit === 'not-authenticated') return failedBy('token', error);
    throw error;
  }
}

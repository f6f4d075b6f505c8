import type { Context } from '../../context/context.ts';
import { OrgctlError } from '../../errors.ts';
import type { Service } from '../../service/service.ts';
import { countAny } from '../../text/count.ts';
import { toPlainText } from '../../text/plain-text.ts';
import { verb } from '../verb.ts';
import { examineCaller } from './caller.ts';
import { CHECK_COLUMNS, type CheckRow } from './columns.ts';
import { examineConnection } from './connection.ts';
import { examineMaxExpires } from './expiry-limits.ts';
import { attention, type Finding, failed, failedBy, isFailed, ok, orFailed, toDetail } from './finding.ts';
import { examineFiles, examineRotations } from './kept.ts';

export const registerDoctor = verb({
  name: 'doctor',
  effect: 'reads',
  topic: 'environment',
  examples: ['orgctl doctor', 'orgctl doctor -o json'],
  columns: CHECK_COLUMNS,
  /** Throws UsageError for settings that cannot be read: nothing can be checked then. */
  async run(context) {
    const reached = await examineService(context);
    const findings = [
      ok('node', context.places.host.nodeVersion),
      examineSettings(context),
      examineFiles(context),
      reached,
      await examineRotations(context, !reached.some(isFailed)),
    ].flat();
    await showChecks(context, findings);
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

async function examineService(context: Context): Promise<readonly Finding[]> {
  const { services } = context;
  try {
    const token = await examineToken(context);
    const service = await (isFailed(token) ? services.withoutToken() : services.current());
    const connection = await examineConnection(context, service);
    const more = [...connection, token].some(isFailed) ? [] : await examineCaller(context, service);
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

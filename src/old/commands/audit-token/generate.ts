import type { Context } from '../../context/context.ts';
import { ConnectionError, OrgctlError, ServiceError, toFault, toOneLine, toReason, UsageError } from '../../errors.ts';
import type { Unfinished } from '../../interrupts.ts';
import { toOrganization } from '../../resources/organization.ts';
import { toTokenFacts, UNKNOWN_EXPIRY } from '../../rotation/current-token.ts';
import type { Journal, TokenFacts } from '../../rotation/journal.ts';
import { changeToken, rememberToken } from '../../rotation/record.ts';
import { createRecoveryFile, type RecoveryFile, removeEmptyRecoveryFiles } from '../../rotation/recovery.ts';
import { toFingerprint } from '../../secrets/fingerprint.ts';
import { findEvidence, refuseEnterprise, warnOfOrganizationToken } from '../../service/enterprise.ts';
import type { Service } from '../../service/service.ts';
import type { MadeToken } from '../../service/tokens.ts';
import type { Columns } from '../../stdout/columns.ts';
import type { Output } from '../../stdout/output.ts';
import { describeExpiry, describeReplacement, type Replaced, toReplacementQuestion } from '../../tokens/describe.ts';
import { warnOfOtherExpiry } from '../../tokens/expiry.ts';
import { type AskedExpiry, checkTokenPolicy, refuseBeyondSetting } from '../../tokens/expiry-limits.ts';
import { toKnown } from '../../tokens/not-found.ts';
import { openTokenState, type TokenState } from '../../tokens/token-state.ts';
import { AUDIT_TRAIL, MAIN, toNoun } from '../../tokens/which-token.ts';
import { AUTHENTICATION_TOKENS } from '../../wire/resources.ts';
import { noteDates } from '../dates.ts';
import type { Values } from '../param.ts';
import { refuseMissingSecret } from '../secret-output.ts';
import { allowEnterprise, expires, readExpiry } from '../token-options.ts';
import { verb } from '../verb.ts';
import { AUDIT_TOKEN_COLUMNS, type OwnedTokenRow } from './columns.ts';

const COLUMNS: Columns<OwnedTokenRow & { readonly token?: unknown; readonly changed: boolean }> = {
  ...AUDIT_TOKEN_COLUMNS,
  shown: [...AUDIT_TOKEN_COLUMNS.shown, 'changed'],
};

const OPTIONS = {
  ...expires('or never (default never)', readExpiry),
  ...allowEnterprise('replaces'),
};

export const generate = verb({
  name: 'audit-token generate',
  help: 'Create a token that replaces the current one, and print its secret once',
  effect: 'writes',
  options: OPTIONS,
  examples: [
    'orgctl audit-token generate --expires 90d --yes > audit-token',
    'orgctl audit-token generate --expires 6mo --dry-run',
  ],
  columns: COLUMNS,
  printsOne: true,
  run: generateAuditToken,
});

async function generateAuditToken(context: Context, input: Values<typeof OPTIONS>): Promise<void> {
  const { identity, screen, services, places } = context;
  const organization = identity.organization();
  refuseOtherShapes(context);
  const output = await screen.output();
  output.checkFields(COLUMNS);
  // Without an expiry it is left to the service.
  const { said = '', expires: expiredAt } = input.expires ?? {};
  const asked: AskedExpiry = { text: said, expiredAt, isCopied: false };
  refuseBeyondSetting(context, asked);
  noteDates(context, input.expires);
  if (!services.dryRun) refuseUndelivered(context, output);
  const service = await services.current();
  await refuseEnterprise(service, organization, input.allowEnterprise);
  const state = openTokenState(context);
  const replaced = await findReplaced(context, service, state);
  const isUndecided = (await checkTokenPolicy(context, service, asked)) === 'undecided';
  const expiry = isUndecided ? undefined : (expiredAt ?? null);
  const now = places.host.now();
  const isKnownMain = findEvidence(service) !== undefined;
  const noun = toNoun(isKnownMain ? MAIN : AUDIT_TRAIL);
  if (services.dryRun) {
    const known = await toKnown(service, organization, replaced);
    const effect = describeReplacement(`${organization}'s ${noun}`, known, expiry, now);
    await service.auditTokens.generate(organization, expiredAt, effect);
    // Where stdout is the secret alone, there is nothing to print.
    if (screen.requested.format?.isDocument !== true) return;
    return await output.changed(COLUMNS, {
      resource: { type: AUTHENTICATION_TOKENS, id: null },
      extra: {
        ...(expiry === undefined ? {} : { 'expired-at': expiry }),
        organization: toOrganization(organization),
        changed: false,
      },
    });
  }
  await screen.confirm('generate', toReplacementQuestion({ organization, noun }, replaced, expiry, now));

  const token = await state.hold(async () => {
    removeEmptyRecoveryFiles(state.directory);
    const recovery = await createRecoveryFile(state.directory, state.unique);
    // Interrupted between the answer and the delivery, the secret would exist nowhere.
    const unfinished = toUnfinished(organization, recovery.path, places.host.pid);
    const act = async () => {
      const made = await make(context, service, expiredAt, state.journal, recovery);
      if (made === undefined) return undefined;
      const isMain = (await warnOfOrganizationToken(service, organization, made.id, screen.warn)) || isKnownMain;
      const which = isMain ? MAIN : AUDIT_TRAIL;
      await sayCreated(context, toNoun(which), made, replaced);
      return { ...made, which };
    };
    return await places.interrupts.defer(act, { unfinished });
  });
  if (token === undefined) return;
  if (token.expiredAt === undefined) screen.warn(UNKNOWN_EXPIRY);
  if (!isUndecided) warnOfOtherExpiry(context, expiredAt, token.expiredAt);
  const next = token.which === AUDIT_TRAIL ? ROTATE : ROTATE_MAIN;
  screen.note('To have the next one delivered and checked:', next);
}

/** What is there now, read where a person wants to know before it goes. */
async function findReplaced({ identity, services }: Context, service: Service, state: TokenState): Promise<Replaced> {
  if (identity.optionGiven('yes') && !services.dryRun) return undefined;
  const metadata = await state
    .createReader(service)
    .read()
    .catch((error: unknown) => {
      // The error of the request that follows says more.
      if (error instanceof ServiceError || error instanceof ConnectionError) return undefined;
      throw error;
    });
  if (metadata?.kind === 'found') return metadata.document;
  return metadata?.kind === 'absent' ? 'nothing' : undefined;
}

/** The words of commands. */
const ROTATE = ['orgctl', 'audit-token', 'rotate', '--to', 'file:./audit-token', '--expires', '90d'];
const ROTATE_MAIN = ['orgctl', 'tokens', 'rotate', 'organization', '--to', 'file:./token', '--expires', '90d'];
const SHOWN_ONCE = 'This is the only time the secret is shown.';

/** A sentence at a terminal; elsewhere a note, and a warning that nothing silences. */
async function sayCreated(
  { identity, screen, places }: Context,
  noun: string,
  { expiredAt }: TokenFacts,
  replaced: Replaced,
): Promise<void> {
  const organization = identity.organization();
  const what =
    replaced === undefined || replaced === 'nothing'
      ? `Created ${organization}'s new ${noun}`
      : `Replaced ${organization}'s ${noun}`;
  const text = `${what}${describeExpiry(expiredAt, places.host.now())}.`;
  const output = await screen.output('stderr');
  if (output.format.forPeople && screen.requested.fields === undefined && !identity.settings.quiet.value) {
    const sentences = () => [{ sign: '✓' as const, text: `${text} ${SHOWN_ONCE}` }];
    return await output.one({ name: 'tokens', shape: 'record', shown: [], sentences }, {});
  }
  screen.note(text);
  screen.warn(SHOWN_ONCE);
}

function toUnfinished(organization: string, recovery: string, pid: number): Unfinished {
  return {
    doing: 'the token is being replaced',
    atStake: [
      `If you end it now (kill -9 ${pid}), ${organization}'s current token has perhaps stopped working. The new one is lost where it is not in ${recovery} yet.`,
      'The same command, run again, creates another one.',
    ],
  };
}

/** Sends the one request and delivers the secret. Undefined in a dry run, which sends nothing. */
async function make(
  context: Context,
  service: Service,
  expiredAt: string | null | undefined,
  journal: Journal,
  recovery: RecoveryFile,
): Promise<TokenFacts | undefined> {
  const { screen, places } = context;
  const organization = context.identity.organization();
  const act = () => service.auditTokens.generate(organization, expiredAt);
  const made = await changeToken(journal, undefined, screen.warn, act).catch(async (error: unknown) => {
    await recovery.discard();
    throw toAdvice(error, organization);
  });
  if (made === undefined) return undefined;
  const facts = toTokenFacts(made.document);
  try {
    await handOver(context, recovery, made, organization);
  } finally {
    const deliveredAt = new Date(places.host.now()).toISOString();
    const last = { ...facts, fingerprint: toFingerprint(made.secret), deliveredAt, verified: null, sinks: [] };
    await rememberToken(journal, last, screen.warn);
  }
  return facts;
}

/** Throws UsageError where no one would receive the secret: the current token is not replaced then. */
function refuseUndelivered({ screen, places }: Context, output: Output): void {
  if (places.host.isStdoutDiscarded()) {
    throw new UsageError('stdout is closed or goes to the null device: the new secret would be lost', {
      hint: 'Redirect the output to a file or to the program that needs the secret.',
    });
  }
  if (screen.requested.format?.isDocument === true) refuseMissingSecret(output);
}

/** Throws UsageError for what stdout is not: it is the secret, or the whole answer. */
function refuseOtherShapes({ screen: { requested } }: Context): void {
  const { format, fields } = requested;
  if (format?.isDocument === true || (format === undefined && fields === undefined)) return;
  const what =
    format === undefined ? '--fields works here only with json' : `-o ${format.name} doesn't go with generate`;
  throw new UsageError(`${what}: stdout is the secret`, { hint: 'Use -o json, or leave it out.' });
}

/** The secret goes to the recovery file first, and leaves it when stdout has taken it. */
async function handOver(
  { screen }: Context,
  recovery: RecoveryFile,
  token: MadeToken,
  organization: string,
): Promise<void> {
  // The secret is printed even where it could not be kept.
  await recovery.keep(token.secret).catch(() => undefined);
  token.noteAnswer();
  try {
    const output = await screen.output();
    const { document } = token;
    if (screen.requested.format?.isDocument !== true) await output.raw(token.secret);
    else {
      const extra = { organization: toOrganization(organization), changed: true };
      await output.changed(COLUMNS, { resource: document.data, extra }, token.secret);
    }
  } catch (error) {
    const unkept = await recovery.restore(token.secret).then(
      () => undefined,
      (problem: unknown) => toReason(problem),
    );
    const kept =
      unkept === undefined
        ? `The new token is kept in ${recovery.path}. The token before it no longer works.`
        : `The new token is lost: can't write ${recovery.path} (${unkept}). The token before it no longer works.`;
    throw new OrgctlError('not-delivered', `can't write ${organization}'s new token to stdout`, {
      reasons: [toReason(error), kept],
      hint:
        unkept === undefined
          ? 'Move the content of that file where it belongs, then remove the file.'
          : 'Free some space, then generate another token.',
      cause: error,
    });
  }
  await recovery.discard().catch((error: unknown) => screen.warn(`can't remove ${recovery.path}: ${toFault(error)}`));
}

function toAdvice(error: unknown, organization: string): unknown {
  if (!(error instanceof OrgctlError) || error.exit !== 'outcome-unknown') return error;
  return new OrgctlError('outcome-unknown', `unknown whether ${organization}'s audit trail token was replaced`, {
    reasons: [`The request was sent, and no clear answer came: ${toOneLine(error.reasons)}.`],
    hint: 'Check when it was created. If it was replaced, its secret is lost: create another with audit-token rotate.',
    next: [['orgctl', 'audit-token', 'show']],
    cause: error,
  });
}

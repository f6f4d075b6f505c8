import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { OrgctlError, toReason, UsageError } from '../../errors.ts';
import { isRouteMissing, toTokenFacts, UNKNOWN_EXPIRY } from '../../rotation/current-token.ts';
import { type Journal, type TokenFacts, toFingerprint } from '../../rotation/journal.ts';
import { changeToken, rememberToken } from '../../rotation/record.ts';
import { createRecoveryFile, type RecoveryFile, removeEmptyRecoveryFiles } from '../../rotation/recovery.ts';
import type { MadeToken } from '../../service/audit-token.ts';
import { refuseEnterprise, refuseEvidence } from '../../service/enterprise.ts';
import type { Service } from '../../service/service.ts';
import { listFields } from '../../stdout/columns.ts';
import type { Output } from '../../stdout/output.ts';
import { toFullTime } from '../../text/time.ts';
import { addEnterpriseOption, addExamples, type EnterpriseFlags, withChanged } from '../options.ts';
import { AUDIT_TOKEN_COLUMNS } from './columns.ts';
import { parseExpiry, warnOfOtherExpiry } from './expiry.ts';
import { openTokenState, type TokenState } from './token-state.ts';

interface Flags extends EnterpriseFlags {
  readonly expires?: string;
  readonly ifAbsent?: boolean;
}

type Input = ReturnType<typeof toGenerateInput>;

const COLUMNS = { ...withChanged(AUDIT_TOKEN_COLUMNS), fields: [...listFields(AUDIT_TOKEN_COLUMNS), 'token'] };

export function registerGenerate(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('generate')
    .description('make a new token, replacing the present one; prints the secret alone, once')
    .option('--expires <when>', 'a date, an instant with zone, a duration such as 90d, 6mo or 1y, or never')
    .option('--if-absent', 'do nothing when a token exists');
  addExamples(addEnterpriseOption(verb, 'replaces'), {
    'orgctl audit-token generate --org acme --expires 90d --yes > audit-token':
      'a token for 90 days, its secret into a file',
    'orgctl audit-token generate --org acme --expires 2030-01-31 --dry-run': 'what would be sent, without sending it',
  }).action(async (flags: Flags) => {
    const context = open(verb);
    await generateAuditToken(context, toGenerateInput(flags, context.places.host.now()));
  });
}

function toGenerateInput(flags: Flags, now: number) {
  return {
    // Undefined leaves it to the service.
    expiredAt: flags.expires === undefined ? undefined : parseExpiry(flags.expires, now),
    ifAbsent: flags.ifAbsent === true,
    allowEnterprise: flags.allowEnterprise === true,
  };
}

async function generateAuditToken(context: Context, input: Input): Promise<void> {
  const { identity, screen, services, places } = context;
  const organization = identity.organization();
  const output = await screen.output();
  output.checkFields(COLUMNS);
  if (!services.dryRun) refuseUndelivered(context, output);
  const service = await services.current();
  if (typeof input.expiredAt === 'string') {
    screen.note(`expires ${toFullTime(input.expiredAt, places.host.now())}`);
  }
  await refuseEnterprise(service, organization, input.allowEnterprise);
  const state = openTokenState(context);
  if (input.ifAbsent && (await tokenExists(context, service, state, input))) return;
  await screen.confirm({
    question: `Replace ${organization}'s audit trail token?`,
    consequences: [`${organization}'s current token, if it has one, stops working at once.`],
  });
  if (services.dryRun) {
    await service.auditTokens.generate(organization, input.expiredAt);
    return;
  }

  const token = await state.hold(async () => {
    removeEmptyRecoveryFiles(state.directory);
    const recovery = await createRecoveryFile(state.directory, state.unique);
    // Interrupted between the answer and the delivery, the secret would exist nowhere.
    return await places.interrupts.defer(() => make(context, service, input.expiredAt, state.journal, recovery));
  });
  if (token === undefined) return;
  screen.warn('the secret is shown this once; the service never gives it again');
  if (token.expiredAt === undefined) screen.warn(UNKNOWN_EXPIRY);
  warnOfOtherExpiry(context, input.expiredAt, token.expiredAt);
}

/** The one request and what follows it. Undefined where a dry run kept it from leaving. */
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
      hint: 'Send the output into a file or to the program that needs the secret.',
    });
  }
  if (screen.requested.format?.document !== undefined && !output.shows('token')) {
    throw new UsageError('--fields leaves out token: the new secret would be lost', { hint: 'Add token to --fields.' });
  }
}

/** The secret goes to the recovery file first, and leaves it when stdout has taken it. */
async function handOver(
  { screen }: Context,
  recovery: RecoveryFile,
  token: MadeToken,
  organization: string,
): Promise<void> {
  // Where it cannot be kept, it is printed all the same.
  await recovery.keep(token.secret).catch(() => undefined);
  try {
    const output = await screen.output();
    const { document } = token;
    if (screen.requested.format?.document === undefined) await output.raw(token.secret);
    else await output.changed(COLUMNS, { resource: document.data, document, extra: { changed: true } });
  } catch (error) {
    const unkept = await recovery.restore(token.secret).then(
      () => undefined,
      (problem: unknown) => toReason(problem),
    );
    const kept =
      unkept === undefined
        ? `it is kept in ${recovery.path}, and the token before it no longer works`
        : `it could not be kept in ${recovery.path} either (${unkept}): it is lost, and the token before it no longer works`;
    throw new OrgctlError('not-delivered', `the new token of ${organization} could not be written to the output`, {
      reasons: [toReason(error), kept],
      hint:
        unkept === undefined
          ? 'Put the content of that file where it belongs, then remove the file.'
          : 'Make room, then generate another token.',
      cause: error,
    });
  }
  await recovery
    .discard()
    .catch((error: unknown) => screen.warn(`${recovery.path} could not be removed: ${toReason(error)}`));
}

/** True when a token exists, with the result already printed. Throws where the service does not say. */
async function tokenExists(context: Context, service: Service, state: TokenState, input: Input): Promise<boolean> {
  const { identity, screen, places } = context;
  const organization = identity.organization();
  const metadata = await state.createReader(service).read();
  refuseEvidence(service, organization, input.allowEnterprise);
  switch (metadata.kind) {
    case 'found': {
      const isTruncated = places.host.isStdoutEmptyFile();
      screen.note(`${organization} has an audit trail token already; nothing was changed`);
      if (screen.requested.format !== undefined) {
        await (await screen.output()).one(COLUMNS, metadata.document, { changed: false });
      }
      if (isTruncated) throw toTruncated(context, organization);
      return true;
    }
    case 'absent':
      return false;
    case 'unknown':
      if (!isRouteMissing(metadata)) throw metadata.refusal;
      throw new UsageError(`this service does not show whether ${organization} has an audit trail token`, {
        reasons: ['its answer, 404, is also that of a service that cannot show one'],
        hint: 'Leave out --if-absent to create a token, which replaces the current one if there is one.',
        cause: metadata.refusal,
      });
  }
}

/** `generate --if-absent > file`, run again: the shell has emptied the file that held the secret. */
function toTruncated({ screen }: Context, organization: string): OrgctlError {
  screen.warn('stdout is an empty file: if it held the secret, the shell has emptied it before orgctl was started');
  return new OrgctlError('attention', `${organization} has an audit trail token, and its secret was not printed`, {
    code: 'exists',
    hint: 'If the secret was in that file only, it is lost: create another token, with rotate --to file:PATH.',
    next: [['orgctl', 'audit-token', 'rotate', '--expires', '90d', '--to', 'file:./audit-token']],
  });
}

function toAdvice(error: unknown, organization: string): unknown {
  if (!(error instanceof OrgctlError) || error.exit !== 'outcome-unknown') return error;
  return new OrgctlError('outcome-unknown', error.message, {
    reasons: [...error.reasons, `the token of ${organization} before this may already be dead`],
    hint: 'Look at created-at with show. If the token was replaced, its secret is lost: make another with rotate, which finds this out by itself.',
    next: [['orgctl', 'audit-token', 'show']],
    cause: error,
  });
}

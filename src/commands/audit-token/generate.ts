import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context.ts';
import { OrgctlError, toReason, UsageError } from '../../errors.ts';
import type { Output } from '../../output/output.ts';
import { createRecoveryFile, type RecoveryFile } from '../../rotation/recovery.ts';
import type { MadeToken } from '../../service/audit-token.ts';
import { refuseEnterprise, refuseEvidence } from '../../service/enterprise.ts';
import type { Service } from '../../service/service.ts';
import type { ResourceDocument } from '../../wire/json-api.ts';
import { addExamples } from '../options.ts';
import { AUDIT_TOKEN_VIEW } from '../views/audit-token.ts';
import { toChangeView } from '../views/changes.ts';
import { parseExpiry, warnOfOtherExpiry } from './expiry.ts';

interface Flags {
  readonly expires?: string;
  readonly ifAbsent?: boolean;
  readonly allowEnterprise?: boolean;
}

interface Input {
  /** UTC text; null for never; undefined leaves it to the service. */
  readonly expiredAt: string | null | undefined;
  readonly ifAbsent: boolean;
  readonly allowEnterprise: boolean;
}

const VIEW = { ...toChangeView(AUDIT_TOKEN_VIEW), fields: [...AUDIT_TOKEN_VIEW.fields, 'token'] };

export function registerGenerate(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('generate')
    .description('make a new token, replacing the present one; prints the secret alone, once')
    .option('--expires <when>', 'a date, an instant with zone, a duration such as 90d, 6mo or 1y, or never')
    .option('--if-absent', 'do nothing when a token exists')
    .option(
      '--allow-enterprise',
      'go on although the service is Terraform Enterprise, where this replaces the main token',
    );
  addExamples(verb, [
    {
      command: 'orgctl audit-token generate --org acme --expires 90d --yes > audit-token',
      shows: 'a token for 90 days, its secret into a file',
    },
    {
      command: 'orgctl audit-token generate --org acme --expires 2030-01-31 --dry-run',
      shows: 'what would be sent, without sending it',
    },
  ]).action(async function (this: Command, flags: Flags) {
    const context = open(this);
    await generateAuditToken(context, toGenerateInput(flags, context.host.now()));
  });
}

function toGenerateInput(flags: Flags, now: number): Input {
  return {
    expiredAt: flags.expires === undefined ? undefined : parseExpiry(flags.expires, now),
    ifAbsent: flags.ifAbsent === true,
    allowEnterprise: flags.allowEnterprise === true,
  };
}

async function generateAuditToken(context: Context, input: Input): Promise<void> {
  const organization = context.organization();
  const output = await context.output();
  output.checkFields(VIEW);
  if (!context.dryRun) refuseLostSecret(context, output);
  const service = await context.service();
  if (typeof input.expiredAt === 'string') {
    context.note(`expires ${input.expiredAt}; here that is ${context.localTime(input.expiredAt)}`);
  }
  await refuseEnterprise(service, organization, input.allowEnterprise);
  if (input.ifAbsent && (await tokenExists(context, service, organization, input))) return;
  await context.confirm({
    act: `replacing the audit trail token of ${organization}`,
    consequences: [
      `${organization} has one audit trail token: a new one ends the present one at once, and what still uses it stops working.`,
    ],
  });
  if (context.dryRun) {
    await service.auditTokens.generate(organization, input.expiredAt);
    return;
  }

  // Interrupted between the answer and the delivery, the secret would exist nowhere.
  const recovery = await createRecoveryFile(context.organizationStateDirectory(), context.uniqueName());
  const made = await context.stop.deferred(async () => {
    const token = await service.auditTokens.generate(organization, input.expiredAt).catch(async (error: unknown) => {
      await recovery.discard();
      throw toAdvice(error, organization);
    });
    if (token === undefined) return undefined;
    await handOver(context, recovery, token, organization);
    return token;
  });
  if (made === undefined) return;
  context.warn('the secret is shown this once; the service never gives it again');
  warnOfOtherExpiry(context, input.expiredAt, made.document.data.attributes?.['expired-at']);
}

/** Where nobody would receive the secret, the present token is not replaced. */
function refuseLostSecret(context: Context, output: Output): void {
  if (context.host.isStdoutDiscarded()) {
    throw new UsageError('stdout is closed or goes to the null device: the new secret would be lost', {
      hint: 'Send the output into a file or to the program that needs the secret.',
    });
  }
  if (context.explicitFormat === 'json' && !output.shows('token')) {
    throw new UsageError('--fields leaves out token: the new secret would be lost', { hint: 'Add token to --fields.' });
  }
}

/** The secret goes to the recovery file first, and leaves it when stdout has taken it. */
async function handOver(
  context: Context,
  recovery: RecoveryFile,
  token: MadeToken,
  organization: string,
): Promise<void> {
  const unkept = await recovery.keep(token.secret).then(
    () => undefined,
    (error: unknown) => toReason(error),
  );
  try {
    await deliver(context, token.document, token.secret);
  } catch (error) {
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
    .catch((error: unknown) => context.warn(`${recovery.path} could not be removed: ${toReason(error)}`));
}

/** True when a token exists, with the result already printed. Throws where the service cannot tell. */
async function tokenExists(context: Context, service: Service, organization: string, input: Input): Promise<boolean> {
  const present = await service.auditTokens.find(organization);
  refuseEvidence(service, organization, input.allowEnterprise);
  if (present !== undefined) {
    context.note(`${organization} has an audit trail token already; nothing was changed`);
    if (context.explicitFormat !== undefined) await (await context.output()).one(VIEW, present, { changed: false });
    return true;
  }
  // A 404 is also what a service without this route says. Only one that names its API version is known to have it.
  if (service.identity.apiVersion !== undefined) return false;
  throw new UsageError(`this service does not tell whether ${organization} has an audit trail token`, {
    hint: 'Leave out --if-absent to replace the token whether or not there is one.',
  });
}

async function deliver(context: Context, document: ResourceDocument, secret: string): Promise<void> {
  const format = context.explicitFormat;
  if (format === 'json' || format === 'jsonapi')
    await (await context.output()).changed(VIEW, { resource: document.data, document, extra: { changed: true } });
  else await (await context.output()).raw(secret);
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

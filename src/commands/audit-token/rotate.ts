import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { isInCi } from '../../host.ts';
import { collectValues } from '../../input/repeatable.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { previewRotation, rotate } from '../../rotation/rotate.ts';
import { parseSinks } from '../../rotation/sinks/parse.ts';
import { SINK_FORMS, type SinkSurroundings } from '../../rotation/sinks/sink.ts';
import type { RotationInput, RotationResult, RotationWorld } from '../../rotation/types.ts';
import type { Output } from '../../stdout/output.ts';
import { findCommand } from '../../subprocess/find-command.ts';
import { runCommand } from '../../subprocess/run-command.ts';
import { splitWords } from '../../subprocess/split-words.ts';
import { createWriter } from '../../text/write.ts';
import { parseDuration } from '../../when.ts';
import { addEnterpriseOption, type EnterpriseFlags } from '../options.ts';
import { ROTATION_COLUMNS } from './columns.ts';
import { describeReplacement, describeRotation, describeUnchanged, describeUnverified } from './describe.ts';
import { parseExpiry } from './expiry.ts';
import { refuseBeyondSetting } from './expiry-limits.ts';
import { refuseMissingSecret } from './secret-output.ts';
import { createTokenService } from './token-service.ts';
import { openTokenState } from './token-state.ts';

interface Flags extends EnterpriseFlags {
  readonly to?: readonly string[];
  readonly expires?: string;
  readonly ifExpiresWithin?: string;
  readonly ifOlderThan?: string;
  readonly settle?: string;
  readonly lockWait?: string;
  readonly requireVerified?: boolean;
  readonly verifyCommand?: string;
}

type Input = Omit<RotationInput, 'organization' | 'origin' | 'sinks' | 'printsResult'> & {
  readonly to: readonly string[];
  readonly verifyCommand: readonly [string, ...string[]] | undefined;
  readonly allowEnterprise: boolean;
  /** How the expiry is asked for, such as `--expires 1y`. */
  readonly text: string;
};

/** Milliseconds. */
const SETTLE = 30_000;

export function registerRotate(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('rotate')
    .description('Replace the token and deliver the new secret safely')
    .option(
      '--to <place>',
      `Where the secret goes (repeatable): ${Object.values(SINK_FORMS).join(', ')}`,
      collectValues,
    )
    .option('--expires <when>', '90d, 6mo, 1y, a date, an instant with time zone, never, or same (as long as now)')
    .option('--if-expires-within <duration>', 'Only if the current token expires within this time, such as 30d')
    .option('--if-older-than <duration>', 'Only if the current token is older than this, such as 60d')
    .option(
      '--verify-command <command>',
      'Check the new token: a command that reads it on stdin and exits 0 if it works',
    )
    .option('--require-verified', 'Exit 12 if nothing shows that the new token works')
    .option('--lock-wait <duration>', 'Wait this long for another rotation of the organization (default: not at all)')
    .option('--settle <duration>', 'Wait this long for a request that got no answer (default 30s)');
  addDocumentation(addEnterpriseOption(verb, 'replaces'), {
    examples: [
      'orgctl audit-token rotate --expires 90d --to file:./audit-token --if-expires-within 30d',
      "orgctl audit-token rotate --expires 90d --to exec:'vault kv put -mount=secret hcp/audit token=-'",
      "orgctl audit-token rotate --expires 90d --to exec:'gh secret set AUDIT_TOKEN'",
    ],
    columns: ROTATION_COLUMNS,
  }).action(async (flags: Flags) => {
    const context = open(verb);
    const text = flags.expires === undefined ? 'the setting expires' : '--expires';
    const input = toRotateInput(addStored(flags, context), text, context.places.host.now());
    await rotateAuditToken(context, input);
  });
}

/** What the command line leaves out may be stored, for all rotations or in a profile. */
function addStored(flags: Flags, { identity }: Context): Flags {
  // A secret of the sandbox has no business in the places of real ones.
  if (identity.isSandbox) return flags;
  const { to, expires } = identity.settings;
  return {
    ...(to.value === undefined ? {} : { to: to.value }),
    ...(expires.value === undefined ? {} : { expires: expires.value }),
    ...flags,
  };
}

function toRotateInput(flags: Flags, source: string, now: number): Input {
  const { to = [], expires } = flags;
  if (to.length === 0 && expires === undefined) {
    throw new UsageError('missing --to (where the secret goes) and --expires (how long it is valid)', {
      hint: 'For example: --to file:./audit-token --expires 90d. All places: orgctl help rotation',
    });
  }
  if (to.length === 0) {
    throw new UsageError('missing --to (where the secret goes)', {
      hint: 'For example: --to file:./audit-token. All places: orgctl help rotation',
    });
  }
  if (expires === undefined) {
    throw new UsageError('missing --expires (how long the new token is valid)', {
      hint: 'For example: --expires 90d, --expires same or --expires never',
    });
  }
  const toDuration = (option: string, text: string | undefined, direction: 1 | -1 = 1): number | undefined =>
    text === undefined ? undefined : parseDuration(text, option, now, direction);
  return {
    to,
    expires: expires.trim() === 'same' ? 'same' : parseExpiry(expires, now),
    ifExpiresWithin: toDuration('--if-expires-within', flags.ifExpiresWithin),
    ifOlderThan: toDuration('--if-older-than', flags.ifOlderThan, -1),
    settle: toDuration('--settle', flags.settle) ?? SETTLE,
    lockWait: toDuration('--lock-wait', flags.lockWait) ?? 0,
    requireVerified: flags.requireVerified === true,
    verifyCommand: flags.verifyCommand === undefined ? undefined : splitWords(flags.verifyCommand, '--verify-command'),
    allowEnterprise: flags.allowEnterprise === true,
    text: `${source} ${expires.trim()}`,
  };
}

async function rotateAuditToken(context: Context, input: Input): Promise<void> {
  const { identity, screen, services, places } = context;
  const organization = identity.organization();
  const printsSecret = input.to.includes('stdout');
  const printsResult = printsSecret && screen.requested.format?.document === 'own';
  // What the secret is printed on cannot hold the result as well.
  const output = await (printsSecret && !printsResult ? screen.output('stderr') : screen.output());
  checkFields(output, printsResult);

  const { expires, text, allowEnterprise } = input;
  const isCopied = expires === 'same';
  if (!isCopied) refuseBeyondSetting(context, { text, isCopied, expiredAt: expires });
  let result: RotationResult | undefined;
  const surroundings: SinkSurroundings = {
    ...toSurroundings(context),
    toStdoutText: (secret) => (printsResult ? output.toJson({ ...result, token: secret }, secret) : `${secret}\n`),
  };
  const sinks = parseSinks(input.to, surroundings);
  const verifyCommand = await findVerification(input.verifyCommand, surroundings);
  warnOfEphemeralState(context);

  const state = openTokenState(context);
  const service = await services.current();
  const rotation: RotationInput = { ...input, organization, origin: identity.serviceOrigin(), sinks, printsResult };
  const token = createTokenService(context, service, state, { allowEnterprise, text, isCopied });
  const inSentences = output.format.forPeople && screen.requested.fields === undefined;
  const world: RotationWorld = {
    now: places.host.now,
    sleep: places.host.sleep,
    pid: places.host.pid,
    token,
    journal: state.journal,
    directory: state.directory,
    unique: state.unique,
    signal: places.interrupts.signal,
    defer: places.interrupts.defer,
    isStopping: places.interrupts.isPending,
    note: screen.note,
    warn: screen.warn,
    verifyCommand,
    onResult(final) {
      result = final;
    },
    async show(final, delivery) {
      if (!inSentences && delivery === undefined) screen.note(describeUnchanged(final, rotation, places.host.now()));
      if (!inSentences && final.changed && final.verified === null) screen.warn(describeUnverified(final));
      const sentences = (_record: object, now: number) => describeRotation(final, delivery, rotation, now);
      const isPrinted = printsResult && final.changed;
      if (!isPrinted) await output.one({ ...ROTATION_COLUMNS, sentences }, final);
    },
  };
  if (!services.dryRun) return await rotate(rotation, world);
  const { unchanged, expiredAt, checked } = await previewRotation(rotation, world);
  const now = places.host.now();
  if (unchanged === undefined) {
    await service.auditTokens.generate(
      organization,
      expiredAt,
      describeReplacement(organization, token.shown(), expiredAt, now),
    );
  } else screen.note(describeUnchanged(unchanged, rotation, now));
  screen.note(`Checked: ${checked.join(', ')}`);
}

/** With `-o json` and the sink stdout, one object is printed that holds the secret. */
function checkFields(output: Output, printsResult: boolean): void {
  if (printsResult) refuseMissingSecret(output);
  output.checkFields(ROTATION_COLUMNS);
}

function toSurroundings({ screen, places }: Context): Omit<SinkSurroundings, 'toStdoutText'> {
  const { env, platform, user, cwd, isStdoutDiscarded, randomBytes, sendSignal, stdout } = places.host;
  return {
    env,
    platform,
    user,
    warn: screen.warn,
    cwd,
    isStdoutDiscarded,
    randomBytes,
    sendSignal,
    writeStdout: createWriter(stdout).write,
    ...screen.commandOutput,
  };
}

async function findVerification(
  words: Input['verifyCommand'],
  surroundings: SinkSurroundings,
): Promise<RotationWorld['verifyCommand']> {
  if (words === undefined) return undefined;
  const path = await findCommand(words[0], '--verify-command', surroundings);
  return async (secret) => {
    const { failure } = await runCommand({ path, words }, secret, surroundings);
    return failure === undefined ? undefined : `${words[0]}: ${failure}`;
  };
}

/** What a job's machine keeps of an interrupted rotation goes with the machine. */
function warnOfEphemeralState({ screen, places }: Context): void {
  const { env } = places.host;
  if (!isInCi(places.host) || (env['ORGCTL_STATE_DIR'] ?? '') !== '') return;
  screen.note('In a CI job the recovery file is lost with the job. Set ORGCTL_STATE_DIR to a folder that outlives it.');
}

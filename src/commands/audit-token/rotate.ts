import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { isInCi } from '../../host.ts';
import { collectValues } from '../../input/repeatable.ts';
import { previewRotation, rotate } from '../../rotation/rotate.ts';
import { findCommand } from '../../rotation/sinks/find-command.ts';
import { parseSinks } from '../../rotation/sinks/parse.ts';
import { runCommand } from '../../rotation/sinks/run-command.ts';
import { SINK_FORMS, type SinkSurroundings } from '../../rotation/sinks/sink.ts';
import { splitWords } from '../../rotation/sinks/split-words.ts';
import type { RotationInput, RotationResult, RotationWorld } from '../../rotation/types.ts';
import type { Output } from '../../stdout/output.ts';
import { createWriter } from '../../text/write.ts';
import { parseDuration } from '../../when.ts';
import { addEnterpriseOption, addExamples, type EnterpriseFlags } from '../options.ts';
import { ROTATION_COLUMNS } from './columns.ts';
import { parseExpiry } from './expiry.ts';
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
};

/** Milliseconds. */
const SETTLE = 30_000;

export function registerRotate(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('rotate')
    .description('replace the token and bring the new secret to its places, without ever losing it')
    .option(
      '--to <sink>',
      `where the secret goes; may be repeated: ${Object.values(SINK_FORMS).join(', ')}`,
      collectValues,
    )
    .option('--expires <when>', 'a date, an instant with zone, a duration such as 90d, never, or same: as long as now')
    .option('--if-expires-within <duration>', 'only when the current token expires within, say, 30d')
    .option('--if-older-than <duration>', 'only when the current token is older than, say, 60d')
    .option('--verify-command <command>', 'check the new token: gets it on stdin, exits with 0 when it works')
    .option('--require-verified', 'exit 12 when nothing can tell whether the new token works')
    .option('--lock-wait <duration>', 'how long to wait for another rotation of the organization (default: not at all)')
    .option('--settle <duration>', 'how long a request without an answer may take effect (default: 30s)');
  addExamples(addEnterpriseOption(verb, 'replaces'), {
    'orgctl audit-token rotate --org acme --expires 90d --to file:./audit-token':
      'a token for 90 days, its secret into a file',
    'orgctl audit-token rotate --org acme --expires 90d --to file:./audit-token --if-expires-within 30d':
      'for a daily job: does nothing before the last 30 days',
    "orgctl audit-token rotate --org acme --expires same --to exec:'tee ./audit-token'":
      'the secret on stdin of a command, such as the one of a secret store',
  }).action(async (flags: Flags) => {
    const context = open(verb);
    await rotateAuditToken(context, toRotateInput(addStored(flags, context), context.places.host.now()));
  });
}

/** What the command line leaves out may be stored, for all rotations or in a profile. */
function addStored(flags: Flags, { identity }: Context): Flags {
  // A make-believe secret has no business in the places of real ones.
  if (identity.isSandbox) return flags;
  const { to, expires } = identity.settings;
  return {
    ...(to.value === undefined ? {} : { to: to.value }),
    ...(expires.value === undefined ? {} : { expires: expires.value }),
    ...flags,
  };
}

function toRotateInput(flags: Flags, now: number): Input {
  const { to = [], expires } = flags;
  if (to.length === 0 && expires === undefined) {
    throw new UsageError('--to and --expires are missing: where the new secret goes, and how long it is to live', {
      hint: 'For example: --to file:./audit-token --expires 90d. All places: orgctl help rotation',
    });
  }
  if (to.length === 0) {
    throw new UsageError('--to is missing: the new secret has to go somewhere', {
      hint: 'For example: --to file:PATH, --to exec:COMMAND or --to stdout. All places: orgctl help rotation',
    });
  }
  if (expires === undefined) {
    throw new UsageError('--expires is missing: say how long the new token is to live', {
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

  let result: RotationResult | undefined;
  const surroundings: SinkSurroundings = {
    ...toSurroundings(context),
    toStdoutText: (secret) => (printsResult ? output.toJson({ ...result, token: secret }) : `${secret}\n`),
  };
  const sinks = parseSinks(input.to, surroundings);
  const verifyCommand = await findVerification(input.verifyCommand, surroundings);
  warnOfEphemeralState(context);

  const state = openTokenState(context);
  const service = await services.current();
  const rotation: RotationInput = { ...input, organization, origin: identity.serviceOrigin(), sinks, printsResult };
  const world: RotationWorld = {
    now: places.host.now,
    sleep: places.host.sleep,
    pid: places.host.pid,
    token: createTokenService(context, service, state, input.allowEnterprise),
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
    async show(final) {
      const isPrinted = printsResult && final.changed;
      if (!isPrinted) await output.one(ROTATION_COLUMNS, final);
    },
  };
  if (!services.dryRun) return await rotate(rotation, world);
  const planned = await previewRotation(rotation, world);
  if (planned !== undefined) await service.auditTokens.generate(organization, planned.expiredAt);
}

/** With `-o json` and the sink stdout, one object is printed that holds the secret. */
function checkFields(output: Output, printsResult: boolean): void {
  if (printsResult && !output.shows('token')) {
    throw new UsageError('--fields leaves out token: the new secret would be lost', { hint: 'Add token to --fields.' });
  }
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
    return failure === undefined ? undefined : `${words[0]} ${failure}`;
  };
}

/** What a job's machine keeps of an interrupted rotation goes with the machine. */
function warnOfEphemeralState({ screen, places }: Context): void {
  const { env } = places.host;
  if (!isInCi(places.host) || (env['ORGCTL_STATE_DIR'] ?? '') !== '') return;
  screen.note('in a CI job the recovery file dies with the job: set ORGCTL_STATE_DIR to a folder that outlives it');
}

import type { Context } from '../context/context.ts';
import { isInCi } from '../host.ts';
import type { Unfinished } from '../interrupts.ts';
import type { SinkSurroundings } from '../rotation/sinks/sink.ts';
import type { RotationInput, RotationWorld } from '../rotation/types.ts';
import { findCommand } from '../subprocess/find-command.ts';
import { runCommand } from '../subprocess/run-command.ts';
import { createTokenService } from './token-service.ts';
import { openTokenState } from './token-state.ts';
import { toAbout, toNoun, type WhichToken } from './which-token.ts';

/** What a rotation needs. */

export type RotateInput = Omit<RotationInput, 'noun' | 'organization' | 'origin' | 'sinks' | 'printsResult'> & {
  readonly to: readonly string[];
  readonly verifyCommand: readonly [string, ...string[]] | undefined;
  readonly allowEnterprise: boolean;
  /** How the expiry is asked for, such as `--expires 1y`. */
  readonly text: string;
};

type Parts = Pick<RotationInput, 'sinks' | 'printsResult'> & Pick<RotationWorld, 'verifyCommand' | 'onResult' | 'show'>;

/** Prepares a rotation. Nothing is asked of the service yet. */
export async function openRotation(context: Context, which: WhichToken, input: RotateInput, parts: Parts) {
  const { identity, screen, services, places } = context;
  const { sinks, printsResult, ...ends } = parts;
  const { now, sleep, pid } = places.host;
  const { signal, isPending: isStopping } = places.interrupts;
  const state = openTokenState(context, which);
  const service = await services.current();
  const { allowEnterprise, allowSelf = false, text, expires } = input;
  const asked = { allowEnterprise, allowSelf, text, isCopied: expires === 'same' };
  const token = await createTokenService(context, service, state, which, asked);
  const { journal, directory, unique } = state;
  const rotation: RotationInput = {
    ...input,
    organization: identity.organization(),
    noun: toNoun(which),
    ...(which.kind === 'audit-trail' ? {} : { about: toAbout(which) }),
    origin: identity.serviceOrigin(),
    sinks,
    printsResult,
  };
  let step: ReturnType<typeof screen.progress> | undefined;
  const world: RotationWorld = {
    now,
    sleep,
    pid,
    token,
    journal,
    directory,
    unique,
    signal,
    defer: (act) =>
      places.interrupts.defer(act, { unfinished: toUnfinished(rotation, pid, token.beside === undefined) }),
    step: (doing) => {
      step?.stop();
      step = doing === undefined ? undefined : screen.progress(doing);
    },
    isStopping,
    note: screen.note,
    warn: screen.warn,
    ...ends,
  };
  return { rotation, world, token };
}

/** `isAlone`: a new token ends the old one at once. */
function toUnfinished({ organization, noun }: RotationInput, pid: number, isAlone: boolean): Unfinished {
  const old = isAlone ? `${organization}'s current ${noun} has perhaps stopped working` : 'the old token still works';
  return {
    doing: 'the token is being replaced',
    atStake: [
      `If you end it now (kill -9 ${pid}), ${old}, and the new one is not everywhere yet.`,
      'The same command, run again, finds out which token is current, and delivers it or a new one.',
    ],
  };
}

export function toSurroundings({ screen, places }: Context): Omit<SinkSurroundings, 'toStdoutText'> {
  const { env, platform, user, cwd, isStdoutDiscarded, randomBytes, sendSignal } = places.host;
  return {
    env,
    platform,
    user,
    warn: screen.warn,
    cwd,
    isStdoutDiscarded,
    randomBytes,
    sendSignal,
    writeStdout: screen.stdout.write,
    ...screen.commandOutput,
  };
}

export async function findVerification(
  words: RotateInput['verifyCommand'],
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
export function warnOfEphemeralState({ screen, places }: Context): void {
  const { env } = places.host;
  if (!isInCi(places.host) || (env['ORGCTL_STATE_DIR'] ?? '') !== '') return;
  screen.note('In a CI job the recovery file is lost with the job. Set ORGCTL_STATE_DIR to a folder that outlives it.');
}

import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { collectValues } from '../../input/repeatable.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { previewRotation, rotate } from '../../rotation/rotate.ts';
import { parseSinks, refuseSharedPlaces } from '../../rotation/sinks/parse.ts';
import { SINK_FORMS, type SinkSurroundings } from '../../rotation/sinks/sink.ts';
import type { RotationResult } from '../../rotation/types.ts';
import type { Output } from '../../stdout/output.ts';
import { splitWords } from '../../subprocess/split-words.ts';
import { parseDuration, parseWait } from '../../when.ts';
import { noteDates } from '../dates.ts';
import { addEnterpriseOption, type EnterpriseFlags } from '../options.ts';
import { addOrganizationsOptions } from '../organizations.ts';
import { ROTATION_COLUMNS } from './columns.ts';
import { describeRotation, describeUnchanged, describeUnverified } from './describe.ts';
import { parseExpiry } from './expiry.ts';
import { refuseBeyondSetting } from './expiry-limits.ts';
import {
  findVerification,
  openRotation,
  planCreation,
  type RotateInput,
  toSurroundings,
  warnOfEphemeralState,
} from './open-rotation.ts';
import { refuseMissingSecret } from './secret-output.ts';

interface Flags extends EnterpriseFlags {
  readonly to?: readonly string[];
  readonly expires?: string;
  readonly ifExpiresWithin?: string;
  readonly ifOlderThan?: string;
  readonly settle?: string;
  readonly lockWait?: string;
  readonly requireVerified?: boolean;
  readonly verifyCommand?: string;
  readonly createMissing?: boolean;
}

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
    .option('--settle <duration>', 'Wait this long for a request that got no answer (default 30s)')
    .option('--create-missing', 'With several organizations: create a token for those without one');
  addDocumentation(addEnterpriseOption(addOrganizationsOptions(verb), 'replaces'), {
    examples: [
      'orgctl audit-token rotate --expires 90d --to file:./audit-token --if-expires-within 30d',
      "orgctl audit-token rotate --expires 90d --to exec:'vault kv put -mount=secret hcp/audit token=-'",
      "orgctl audit-token rotate --expires 90d --to exec:'gh secret set AUDIT_TOKEN'",
      'orgctl audit-token rotate --all-orgs --expires 90d --to file:./{org}.token --if-expires-within 30d --yes',
    ],
    columns: ROTATION_COLUMNS,
  }).action(async (flags: Flags) => {
    const context = open(verb);
    const text = flags.expires === undefined ? 'the setting expires' : '--expires';
    const given = addStored(flags, context);
    const input = toRotateInput(given, text, context.places.host.now());
    if (input.expires !== 'same') {
      refuseBeyondSetting(context, { text: input.text, isCopied: false, expiredAt: input.expires });
      noteDates(context, given.expires === undefined ? undefined : { text: given.expires });
    }
    if (context.identity.several === undefined) {
      if (flags.createMissing === true) throw toMissingSeveral();
      await rotateAuditToken(context, input);
    } else {
      const { rotateSeveral } = await import('./rotate-several.ts');
      await rotateSeveral(context, { ...input, createMissing: flags.createMissing === true });
    }
  });
}

function toMissingSeveral(): UsageError {
  return new UsageError('--create-missing works only with --orgs or --all-orgs', {
    hint: 'Leave it out: of one organization a missing token is created.',
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

function toRotateInput(flags: Flags, source: string, now: number): RotateInput {
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
    settle: flags.settle === undefined ? SETTLE : parseWait(flags.settle, '--settle'),
    lockWait: flags.lockWait === undefined ? 0 : parseWait(flags.lockWait, '--lock-wait'),
    requireVerified: flags.requireVerified === true,
    verifyCommand: flags.verifyCommand === undefined ? undefined : splitWords(flags.verifyCommand, '--verify-command'),
    allowEnterprise: flags.allowEnterprise === true,
    text: `${source} ${expires.trim()}`,
  };
}

async function rotateAuditToken(context: Context, input: RotateInput): Promise<void> {
  const { identity, screen, services, places } = context;
  const printsSecret = input.to.includes('stdout');
  const printsResult = printsSecret && screen.requested.format?.document === 'own';
  // What the secret is printed on cannot hold the result as well.
  const output = await (printsSecret && !printsResult ? screen.output('stderr') : screen.output());
  checkFields(output, printsResult);

  let result: RotationResult | undefined;
  const surroundings: SinkSurroundings = {
    ...toSurroundings(context),
    // Stored places are those of one organization as of several.
    organization: identity.organization(),
    toStdoutText: (secret) => (printsResult ? output.toJson({ ...result, token: secret }, secret) : `${secret}\n`),
  };
  const sinks = parseSinks(input.to, surroundings);
  await refuseSharedPlaces(sinks.map((sink) => ({ sink })));
  const verifyCommand = await findVerification(input.verifyCommand, surroundings);
  warnOfEphemeralState(context);

  const inSentences = output.format.forPeople && screen.requested.fields === undefined;
  const { rotation, world, token, service } = await openRotation(context, input, {
    sinks,
    printsResult,
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
  });
  if (!services.dryRun) return await rotate(rotation, world);
  const preview = await previewRotation(rotation, world);
  await planCreation(context, { rotation, service, preview, replaced: token.shown() });
  screen.note(`Checked: ${preview.checked.join(', ')}`);
}

/** With `-o json` and the sink stdout, one object is printed that holds the secret. */
function checkFields(output: Output, printsResult: boolean): void {
  if (printsResult) refuseMissingSecret(output);
  output.checkFields(ROTATION_COLUMNS);
}

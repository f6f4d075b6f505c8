import type { Context } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { SINK_FORMS } from '../../rotation/sinks/sink.ts';
import { splitWords } from '../../subprocess/split-words.ts';
import { parseWait } from '../../when.ts';
import { noteDates } from '../dates.ts';
import { duration } from '../options.ts';
import { ORGANIZATIONS } from '../organizations.ts';
import { flag, repeated, type Values, valued } from '../param.ts';
import { verb } from '../verb.ts';
import { ROTATION_COLUMNS } from './columns.ts';
import { refuseBeyondSetting } from './expiry-limits.ts';
import type { RotateInput } from './open-rotation.ts';
import { allowEnterprise, expires, readExpiryOrSame } from './options.ts';

const SETTLE = '30s';

const OPTIONS = {
  to: repeated('--to <place>', `Where the secret goes (repeatable): ${Object.values(SINK_FORMS).join(', ')}`, {
    complete: 'places',
  }),
  ...expires('never, or same (as long as now)', readExpiryOrSame),
  ifExpiresWithin: duration(
    '--if-expires-within <duration>',
    'Only if the current token expires within this time, such as 30d',
    'ahead',
  ),
  ifOlderThan: duration(
    '--if-older-than <duration>',
    'Only if the current token is older than this, such as 60d',
    'back',
  ),
  verifyCommand: valued(
    '--verify-command <command>',
    'Check the new token: a command that reads it on stdin and exits 0 if it works',
    splitWords,
  ),
  requireVerified: flag('--require-verified', 'Exit 12 if nothing shows that the new token works'),
  lockWait: valued(
    '--lock-wait <duration>',
    'Wait this long for another rotation of the organization (default: not at all)',
    parseWait,
  ),
  settle: valued(
    '--settle <duration>',
    `Wait this long for a request that got no answer (default ${SETTLE})`,
    parseWait,
  ),
  createMissing: flag('--create-missing', 'With several organizations: create a token for those without one'),
  ...ORGANIZATIONS,
  ...allowEnterprise('replaces'),
};

export const rotate = verb({
  name: 'audit-token rotate',
  help: 'Replace the token and deliver the new secret safely',
  effect: 'writes',
  near: ['rotate'],
  options: OPTIONS,
  examples: [
    'orgctl audit-token rotate --expires 90d --to file:./audit-token --if-expires-within 30d',
    "orgctl audit-token rotate --expires 90d --to exec:'vault kv put -mount=secret hcp/audit token=-'",
    "orgctl audit-token rotate --expires 90d --to exec:'gh secret set AUDIT_TOKEN'",
    'orgctl audit-token rotate --all-orgs --expires 90d --to file:./{org}.token --if-expires-within 30d --yes',
  ],
  columns: ROTATION_COLUMNS,
  printsOne: true,
  async run(context, { createMissing, ...given }) {
    const input = toRotateInput(context, given);
    const { isOne } = context.organizations;
    if (isOne && createMissing) throw toMissingSeveral();
    const { rotateEach } = await import('./rotate-each.ts');
    await rotateEach(context, { ...input, createMissing: isOne || createMissing });
  },
});

function toMissingSeveral(): UsageError {
  return new UsageError('--create-missing works only with --orgs or --all-orgs', {
    hint: 'Leave it out: of one organization a missing token is created.',
  });
}

type Asked = Values<Omit<typeof OPTIONS, 'createMissing'>>;

function toRotateInput(context: Context, asked: Asked): RotateInput {
  const { to, expires: expiry } = addStored(context, asked);
  if (expiry.expires !== 'same') {
    refuseBeyondSetting(context, { text: expiry.said, isCopied: false, expiredAt: expiry.expires });
  }
  noteDates(context, expiry);
  const { settle = parseWait(SETTLE, '--settle'), lockWait = 0, ...rest } = asked;
  return { ...rest, to, expires: expiry.expires, text: expiry.said, settle, lockWait };
}

/** What the command line leaves out may be stored, for all rotations or in a profile. Throws UsageError for what is nowhere. */
function addStored({ identity, places }: Context, asked: Pick<Asked, 'to' | 'expires'>) {
  // A secret of the sandbox has no business in the places of real ones.
  const stored = identity.isSandbox ? undefined : identity.settings;
  const to = asked.to.length > 0 ? asked.to : (stored?.to.value ?? []);
  const text = stored?.expires.value;
  const isExpiryMissing = asked.expires === undefined && text === undefined;
  if (to.length === 0) {
    const [missing, example] = isExpiryMissing ? [' and --expires (how long it is valid)', ' --expires 90d'] : ['', ''];
    throw new UsageError(`missing --to (where the secret goes)${missing}`, {
      hint: `For example: --to file:./audit-token${example}. All places: orgctl help rotation`,
    });
  }
  const expiry =
    asked.expires ??
    (text === undefined ? undefined : readExpiryOrSame(text, 'the setting expires', places.host.now()));
  if (expiry === undefined) {
    throw new UsageError('missing --expires (how long the new token is valid)', {
      hint: 'For example: --expires 90d, --expires same or --expires never',
    });
  }
  return { to, expires: expiry };
}

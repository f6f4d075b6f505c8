import type { Context } from '../context/context.ts';
import { UsageError } from '../errors.ts';
import type { TokenReference } from '../input/token-reference.ts';
import { SINK_FORMS } from '../rotation/sinks/sink.ts';
import { splitWords } from '../subprocess/split-words.ts';
import { refuseBeyondSetting } from '../tokens/expiry-limits.ts';
import type { RotateInput } from '../tokens/open-rotation.ts';
import { parseWait } from '../when.ts';
import { noteDates } from './dates.ts';
import { duration } from './options.ts';
import { ORGANIZATIONS } from './organizations.ts';
import { flag, needed, repeated, type Values, valued } from './param.ts';
import { expires, readExpiryOrSame } from './token-options.ts';

/** What the verbs that rotate a token take. */

const SETTLE = '30s';

/** Of the verb that takes none the audit trail token. */
function toFileName({ kind }: Pick<TokenReference, 'kind'> = { kind: 'audit-trail' }): string {
  const names = {
    'audit-trail': 'audit-token',
    organization: 'organization-token',
    team: 'team-token',
    id: 'team-token',
  };
  return names[kind];
}

export const ROTATE_OPTIONS = {
  to: needed(
    repeated('--to <place>', `Where the secret goes (repeatable): ${Object.values(SINK_FORMS).join(', ')}`, {
      complete: 'places',
      setting: 'to',
    }),
    {
      is: 'where the secret goes',
      example: ({ token }) => `--to file:./${toFileName(token as TokenReference | undefined)}`,
    },
  ),
  expires: needed(
    { ...expires('never, or same (as long as now)', readExpiryOrSame).expires, setting: 'expires' },
    {
      is: 'how long the new token is valid',
      example: '--expires 90d',
      hint: 'For example: --expires 90d, --expires same or --expires never',
    },
  ),
  ifExpiresWithin: duration(
    '--if-expires-within <duration>',
    'Only if the current token expires within this time, such as 30d, or a place holds no working one',
    'ahead',
  ),
  ifOlderThan: duration(
    '--if-older-than <duration>',
    'Only if the current token is older than this, such as 60d, or a place holds no working one',
    'back',
  ),
  verifyCommand: valued(
    '--verify-command <command>',
    'Check the new token: a command that reads it on stdin and exits 0 if it works',
    (text, name) => splitWords(text, name),
  ),
  requireVerified: flag('--require-verified', 'Exit 12 if nothing shows that the new token works'),
  lockWait: valued(
    '--lock-wait <duration>',
    'If another rotation is running, wait this long for it (default: not at all)',
    parseWait,
  ),
  settle: valued(
    '--settle <duration>',
    `After a request without an answer, wait this long before looking for its effect (default ${SETTLE})`,
    parseWait,
  ),
  createMissing: flag('--create-missing', 'With several organizations: create a token where there is none, too'),
  ...ORGANIZATIONS,
};

type Asked = Values<Omit<typeof ROTATE_OPTIONS, 'createMissing'>>;

/** Throws UsageError for what is not allowed. */
export function toRotateInput(context: Context, asked: Asked): Omit<RotateInput, 'allowEnterprise'> {
  const { settle = parseWait(SETTLE, '--settle'), lockWait = 0, expires: expiry, ...rest } = asked;
  if (expiry.expires !== 'same') {
    refuseBeyondSetting(context, { text: expiry.said, isCopied: false, expiredAt: expiry.expires });
  }
  noteDates(context, expiry);
  return { ...rest, expires: expiry.expires, text: expiry.said, settle, lockWait };
}

/**
 * Whether a missing token is created. Of one organization it is, but for one that may be misspelled. Throws UsageError where
 * the option would do nothing.
 */
export function readCreateMissing({ organizations }: Context, isGiven: boolean, isDescribed = false): boolean {
  if (!organizations.isOne || isDescribed) return isGiven;
  if (!isGiven) return true;
  throw new UsageError('--create-missing works only with --orgs or --all-orgs', {
    hint: 'Leave it out: of one organization a missing token is created.',
  });
}

import { EXIT_CODES, type ExitName } from '../exit-codes.ts';
import { RECOVERY_PREFIX } from '../rotation/journal.ts';
import { COMMAND_LIMITS } from '../rotation/sinks/run-command.ts';
import { SINK_FORMS, type SinkKind } from '../rotation/sinks/sink.ts';

/** `orgctl help rotation`: how audit-token rotate works, and what to do when it does not end well. */

type Row = readonly [term: string, says: string];

const PHASES: readonly Row[] = [
  ['plan', 'takes the lock, reads what an earlier rotation left and what the service says; may end here'],
  ['preflight', 'makes the recovery file and what each place needs, finds commands, reads once more'],
  ['mint', 'one request; without a clear answer it waits for --settle, looks twice, and sends a second and'],
  ['', 'last one only where the first provably did nothing, or made a token that nobody has'],
  ['secure', 'the secret goes to the recovery file and to the disk, before anything else is done with it'],
  ['deliver', 'reads once more: where another token is current by now, nothing is delivered. Then to each place in'],
  ['', 'order, stdout last; one that fails does not stop the others'],
  ['verify', 'is the new token the one in force, does it read the audit trail, does --verify-command take it?'],
  ['finish', 'removes the recovery file, notes in the journal which token was delivered, gives the lock back'],
];

const SINKS: Readonly<Record<SinkKind, string>> = {
  file: 'the secret and nothing else; replaced as a whole, mode and group kept, a new one 0600; a file of yours',
  'env-file': 'one line KEY=secret; all else in the file stays as it is',
  exec: `the secret on the command's stdin, without a newline; no shell; ${COMMAND_LIMITS.time / 1_000} s; exit 0 says that it has it`,
  'github-output': 'an output of a GitHub Actions step, masked first',
  stdout: 'the secret and a newline; the result then goes to stderr, or with -o json both are one object',
};

const KEPT: readonly Row[] = [
  ['rotation.json', 'the journal: the rotation that is open, and which token was delivered last; no secret'],
  ['rotation.lock', 'lets one rotation at a time work; the system frees it when its holder dies'],
  [`${RECOVERY_PREFIX}…`, 'the recovery file: a secret from when it is made until it has reached its places'],
];

/** What to do after each exit code that only rotations have, or that means more here than elsewhere. */
const REMEDIES: readonly (readonly [ExitName, string])[] = [
  ['outcome-unknown', 'Run the same command again: it finds out, and makes a token that reaches its places.'],
  [
    'not-delivered',
    'Fix what failed and run the same command again: it delivers this token, if it is still the current one.',
  ],
  ['attention', 'Nothing tells which token was delivered. Run it once without --if-expires-within.'],
  ['busy', 'Leave it to the other one, or wait with --lock-wait. If nobody else should rotate, find out who does.'],
];

const NEXT_RUNS: readonly Row[] = [
  ['none, or it was stopped before its request', 'begins afresh; what lies about is tidied'],
  ['a request without an answer, the token is the same', 'begins afresh'],
  ['the same, the token is another or not shown', 'makes a token, due or not: nobody may have the present one'],
  ['a kept secret, and its token is in force', 'delivers it to every --to; makes none'],
  ['a kept secret, and its token was replaced since', 'removes it and begins afresh'],
  ['a kept secret, and nothing tells about its token', 'begins afresh; the secret stays until there is a newer one'],
  ['a recovery file that is not whole', 'leaves it, says so, and makes a token, due or not'],
];

export function describeRotation(): string {
  return [
    'Rotation',
    '',
    'An organization has one audit trail token. The request that makes a new one ends the old one at once, and the new',
    'secret is in that one answer. So audit-token rotate tries everything that can fail before that request:',
    '',
    ...toTable(PHASES),
    '',
    'Killed at any point, the old token is still valid, or the new secret is in its place or in the recovery file, or',
    'the journal says that it is not known. Signals wait from the request until the secret is delivered.',
    '',
    'Where the secret goes (--to, may be repeated):',
    '',
    ...toTable((Object.keys(SINK_FORMS) as SinkKind[]).map((kind) => [SINK_FORMS[kind], SINKS[kind]])),
    '',
    'A command that opens /dev/stdin by that name has to be given a pipe: exec:\'sh -c "cat | COMMAND"\'.',
    '--dry-run looks at all of this and leaves no trace. --if-expires-within and --if-older-than do nothing while there',
    'is time and the token in force is the one that was delivered: known by the journal, or by trying what a file or',
    'an env-file holds. A file or env-file without a token, or with one the service refuses, makes it due.',
    '',
    'What is kept, for its owner alone, in <state folder>/<service>/<organization>:',
    '',
    ...toTable(KEPT),
    '',
    "The state folder is ORGCTL_STATE_DIR, or the platform's own. In a CI job, name one that outlives the job; where",
    'there is none, also deliver to a file that holds the present token when the job begins: the next job tries it.',
    '',
    'When it does not end with 0:',
    '',
    ...REMEDIES.flatMap(([name, remedy]) => [
      `  ${EXIT_CODES[name].code}  ${EXIT_CODES[name].when}`,
      `      → ${remedy}`,
    ]),
    '',
    'After 2 to 9 nothing was replaced. A run that a signal stopped prints its result if it replaced the token.',
    '',
    'What an earlier rotation left, and what the next run does:',
    '',
    ...toTable(NEXT_RUNS),
    '',
    'Examples:',
    '  # for a daily job: does nothing before the last 30 days',
    '  $ orgctl audit-token rotate --org acme --expires 90d --to file:./audit-token --if-expires-within 30d',
    '  # what it would do',
    '  $ orgctl audit-token rotate --org acme --expires 90d --to file:./audit-token --dry-run',
    '',
  ].join('\n');
}

function toTable(rows: readonly Row[]): readonly string[] {
  const width = Math.max(...rows.map(([term]) => term.length)) + 2;
  return rows.map(([term, says]) => `  ${term.padEnd(width)}${says}`);
}

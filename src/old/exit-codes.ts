/** Every exit code orgctl can return. Help, the error report and the tests read this table; nothing else defines a code. */
export const EXIT_CODES = Object.freeze({
  ok: { code: 0, when: 'done' },
  failure: { code: 1, when: 'a bug in orgctl, or anything not listed here' },
  usage: {
    code: 2,
    when: "a bad or missing option, argument, file or confirmation, a team that does not exist, or a query that doesn't fit; nothing was changed",
  },
  cancelled: { code: 3, when: 'declined at the prompt' },
  'not-authenticated': { code: 4, when: 'no usable token, or the service rejected it (401)' },
  'not-found': { code: 5, when: 'not found, or no permission (404)' },
  forbidden: { code: 6, when: 'no permission (403)' },
  rejected: { code: 7, when: 'the service rejected the request (any other 4xx)' },
  'rate-limited': { code: 8, when: 'the service still limits your requests after all retries (429)' },
  unavailable: {
    code: 9,
    when: 'no usable answer: DNS, connection, TLS, proxy, timeout, 5xx, or not the service at all',
  },
  incomplete: { code: 10, when: 'some of several failed, or a list changed while it was being read' },
  'outcome-unknown': { code: 11, when: 'unknown whether a change was made' },
  'not-delivered': { code: 12, when: 'a new secret was not delivered; it is kept in a recovery file' },
  attention: { code: 13, when: 'a check found something: an expiring token, drift, missing teams, a gap' },
  busy: { code: 14, when: 'another rotation or follower is running, or the token changed meanwhile' },
  hangup: { code: 129, when: 'interrupted: the terminal was closed (SIGHUP)' },
  interrupted: { code: 130, when: 'interrupted with Ctrl-C (SIGINT)' },
  terminated: { code: 143, when: 'interrupted by another program (SIGTERM)' },
} as const);

export type ExitName = keyof typeof EXIT_CODES;

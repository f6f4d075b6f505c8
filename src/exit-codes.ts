/** Every exit code orgctl can return. Help, the error report and the tests read this table; nothing else defines a code. */
export const EXIT_CODES = Object.freeze({
  ok: { code: 0, when: 'done' },
  failure: { code: 1, when: 'a fault of orgctl itself, or anything not listed here' },
  usage: { code: 2, when: 'a bad or missing option, argument, file or confirmation; nothing was changed' },
  cancelled: { code: 3, when: 'declined at the prompt' },
  'not-authenticated': { code: 4, when: 'no usable token, or the service refused the token (401)' },
  'not-found': { code: 5, when: 'the service answered 404: absent, or not permitted' },
  forbidden: { code: 6, when: 'the service answered 403' },
  rejected: { code: 7, when: 'the service refused the request (any other 4xx)' },
  'rate-limited': { code: 8, when: 'the service still answered 429 after every retry' },
  unavailable: {
    code: 9,
    when: 'no usable answer: DNS, connection, TLS, proxy, timeout, 5xx, or not the service at all',
  },
  incomplete: { code: 10, when: 'several items with mixed outcomes, or a list that changed while it was read' },
  'outcome-unknown': { code: 11, when: 'a write may or may not have happened, and reading could not tell' },
  'not-delivered': { code: 12, when: 'a new secret exists but not where it should be; it is kept in a recovery file' },
  attention: { code: 13, when: 'a check found something: an expiring token, drift, missing teams' },
  busy: { code: 14, when: 'another rotation holds the lock, or changed the token meanwhile' },
  hangup: { code: 129, when: 'stopped by SIGHUP' },
  interrupted: { code: 130, when: 'stopped by SIGINT (Ctrl-C)' },
  terminated: { code: 143, when: 'stopped by SIGTERM' },
} as const);

export type ExitName = keyof typeof EXIT_CODES;

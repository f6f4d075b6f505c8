export const EXIT_CODES = {
  ok: 0,
  failure: 1,
  usage: 2,
  cancelled: 3,
  'not-authenticated': 4,
  'not-found': 5,
  forbidden: 6,
  rejected: 7,
  'rate-limited': 8,
  unavailable: 9,
  incomplete: 10,
  'outcome-unknown': 11,
  'not-delivered': 12,
  attention: 13,
  busy: 14,
  hangup: 129,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitName = keyof typeof EXIT_CODES;

/** The exits of the signals that orgctl listens to. */
export const SIGNAL_EXITS = { SIGHUP: 'hangup', SIGINT: 'interrupted', SIGTERM: 'terminated' } as const;

export type SignalName = keyof typeof SIGNAL_EXITS;

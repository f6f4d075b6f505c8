import { SandboxInputError } from './errors.ts';

/**
 * `reset-before` cuts the connection, and the service never sees the request. `reset-after-commit` cuts the connection before
 * the response of a request that was executed. `html` is a page of a proxy. `truncate` sends half of the response's body.
 */
const PLAIN_ACTIONS = ['reset-before', 'reset-after-commit', 'html', 'truncate'] as const;

type FaultAction =
  | { kind: 'status'; status: number }
  | { kind: 'delay'; milliseconds: number }
  | { kind: (typeof PLAIN_ACTIONS)[number] };

export interface Fault {
  method: string;
  words: string;
  nth?: number;
  action: FaultAction;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', '*'];

const MAX_DELAY = 3_600_000;

/** Parses `METHOD words: [nth=N] action`. Throws SandboxInputError. */
export function parseFault(text: string): Fault {
  const form = /^(\S+)\s+(\S.*?)\s*:\s+(?:nth=([1-9]\d{0,8})\s+)?(\S+)$/s;
  const [, name = '', words = '', nth, actionText = ''] = form.exec(text.trim()) ?? [];
  const method = name.toUpperCase();
  const action = parseAction(actionText);
  if (action && METHODS.includes(method)) return { method, words, nth: nth ? Number(nth) : undefined, action };
  throw new SandboxInputError(
    `can't read the fault "${text}"`,
    'For example: "POST authentication-token: nth=1 reset-after-commit"',
  );
}

function parseAction(text: string): FaultAction | undefined {
  const plain = PLAIN_ACTIONS.find((kind) => kind === text);
  if (plain !== undefined) return { kind: plain };
  if (/^[45]\d\d$/.test(text)) return { kind: 'status', status: Number(text) };
  const [, amount, unit] = /^delay=(\d+(?:\.\d+)?)(ms|s)$/.exec(text) ?? [];
  const milliseconds = Number(amount) * (unit === 's' ? 1_000 : 1);
  return milliseconds <= MAX_DELAY ? { kind: 'delay', milliseconds } : undefined;
}

/** Each fault counts the requests that match it. Delays add up, to an hour at most. Among other actions the first wins. */
export function createFaultMatcher(faults: Fault[]) {
  const counts = faults.map(() => 0);
  return (method: string, path: string) => {
    let delay = 0;
    let action: FaultAction | undefined;
    for (const [index, fault] of faults.entries()) {
      if (!['*', method].includes(fault.method) || !(fault.words === '*' || path.includes(fault.words))) continue;
      const count = (counts[index] ?? 0) + 1;
      counts[index] = count;
      if (fault.nth !== undefined && fault.nth !== count) continue;
      if (fault.action.kind === 'delay') delay += fault.action.milliseconds;
      else action ??= fault.action;
    }
    return { delay: Math.min(MAX_DELAY, delay), action };
  };
}

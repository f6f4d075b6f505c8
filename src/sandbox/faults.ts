import { SandboxInputError } from './errors.ts';

/**
 * `reset-before`: the connection is cut and the service never sees the request. `reset-after-commit`: the service acts, and
 * the connection is cut before its answer. `html`: a page such as a proxy sends. `truncate`: half of the answer's body.
 */
const PLAIN_ACTIONS = ['reset-before', 'reset-after-commit', 'html', 'truncate'] as const;

type FaultAction =
  | { kind: 'status'; status: number }
  | { kind: 'delay'; milliseconds: number }
  | { kind: (typeof PLAIN_ACTIONS)[number] };

export interface Fault {
  method: string;
  words: string;
  nth?: number | undefined;
  action: FaultAction;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', '*'];

const EXAMPLE = 'For example: "POST authentication-token: nth=1 reset-after-commit"';
const GRAMMAR = [
  'A fault is METHOD words: [nth=N] action.',
  `METHOD is ${METHODS.slice(0, -1).join(', ')} or *; words are part of the path, or *.`,
  'The action is a status from 400 to 599, reset-before, reset-after-commit, delay=200ms, html or truncate.',
];

const MAX_DELAY = 3_600_000;

export function parseFault(text: string): Fault {
  const fail = (reason: string) => new SandboxInputError(`can't read the fault "${text}": ${reason}`, EXAMPLE, GRAMMAR);
  const [, first = '', words = '', rest = ''] = /^(\S+)\s+(\S.*?)\s*:\s+(\S.*)$/s.exec(text.trim()) ?? [];
  const method = first.toUpperCase();
  if (rest === '') throw fail('it has another form');
  if (!METHODS.includes(method)) throw fail(`${method} is not a method`);
  const [action = '', condition, ...more] = rest.split(/\s+/).toReversed();
  if (more.length > 0) throw fail(`${rest.split(/\s+/).slice(2).join(' ')} is too much`);
  const nth = condition === undefined ? undefined : Number(/^nth=(\d{1,9})$/.exec(condition)?.[1] ?? 0);
  if (nth === 0) throw fail(`${condition} must be nth=N, with N from 1`);
  const parsed = parseAction(action);
  if (parsed === undefined) throw fail(`${action} is not an action`);
  return { method, words, nth, action: parsed };
}

function parseAction(text: string): FaultAction | undefined {
  const plain = PLAIN_ACTIONS.find((kind) => kind === text);
  if (plain !== undefined) return { kind: plain };
  if (/^[45]\d\d$/.test(text)) return { kind: 'status', status: Number(text) };
  const [, amount, unit] = /^delay=(\d+(?:\.\d+)?)(ms|s)$/.exec(text) ?? [];
  const milliseconds = Number(amount) * (unit === 's' ? 1_000 : 1);
  return milliseconds <= MAX_DELAY ? { kind: 'delay', milliseconds } : undefined;
}

/** Each fault counts the requests that match it. Delays add up, to an hour at most; of several other actions the first counts. */
export function createFaultPlan(faults: readonly Fault[]) {
  const counts = faults.map(() => 0);
  return (method: string, path: string) => {
    let delay = 0;
    let struck: FaultAction | undefined;
    for (const [index, fault] of faults.entries()) {
      if (!['*', method].includes(fault.method) || !(fault.words === '*' || path.includes(fault.words))) continue;
      const count = (counts[index] ?? 0) + 1;
      counts[index] = count;
      if (fault.nth !== undefined && fault.nth !== count) continue;
      if (fault.action.kind === 'delay') delay += fault.action.milliseconds;
      else struck ??= fault.action;
    }
    return { delay: Math.min(MAX_DELAY, delay), action: struck };
  };
}

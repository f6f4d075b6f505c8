import { SandboxInputError } from './input-error.ts';

/** Failures that the user asks for. They depend on the number of requests, so that the same run fails the same way again. */

const PLAIN_ACTIONS = [
  /** The connection is cut and the service never sees the request. */
  'reset-before',
  /** The service acts, and the connection is cut before its answer. */
  'reset-after-commit',
  /** A page such as a proxy would send, 502. */
  'html',
  /** The headers of the answer and half of its body. */
  'truncate',
] as const;

export type FaultAction =
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'delay'; readonly milliseconds: number }
  | { readonly kind: (typeof PLAIN_ACTIONS)[number] };

export interface Fault {
  readonly method: string;
  readonly words: string;
  /** Which of the matching requests, from 1; undefined for all. */
  readonly nth?: number | undefined;
  readonly action: FaultAction;
}

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', '*'];

const FAULT_GRAMMAR = [
  'A fault is METHOD words: [nth=N] action.',
  `METHOD is ${METHODS.slice(0, -1).join(', ')} or *; words are part of the path, or *.`,
  'The action is a status from 400 to 599, reset-before, reset-after-commit, delay=200ms, html or truncate.',
];

const LONGEST_DELAY = 3_600_000;

/** Throws SandboxInputError, saying what is wrong and how a fault is written. */
export function parseFault(text: string): Fault {
  const shape = splitFault(text.trim());
  if (shape === undefined) throw createGrammarError(text, 'it has another form');
  const { method, words, rest } = shape;
  if (!METHODS.includes(method)) throw createGrammarError(text, `${method} is not a method`);
  const parts = rest.split(/\s+/);
  if (parts.length > 2) throw createGrammarError(text, `${parts.slice(2).join(' ')} is too much`);
  const condition = parts.length > 1 ? parts[0] : undefined;
  const action = parts.at(-1) ?? '';
  return { method, words, nth: parseNth(text, condition), action: parseAction(text, action) };
}

/** Splits piece by piece, since one pattern for the whole text would try every blank in it. */
function splitFault(text: string): { method: string; words: string; rest: string } | undefined {
  const [, method, behind = ''] = /^(\S+)\s+(\S.*)$/s.exec(text) ?? [];
  // The words may begin with a colon.
  const colon = behind.slice(1).search(/:\s/) + 1;
  if (method === undefined || colon === 0) return undefined;
  return { method: method.toUpperCase(), words: behind.slice(0, colon).trim(), rest: behind.slice(colon + 1).trim() };
}

export interface Strike {
  readonly delay: number;
  readonly action: FaultAction | undefined;
}

/**
 * Says of each request what happens to it. Each fault counts the requests that match it, from 1. Delays add up, to an hour at
 * most; of several other actions the first counts.
 */
export function createFaultPlan(faults: readonly Fault[]): (method: string, path: string) => Strike {
  const counts = faults.map(() => 0);
  return (method, path) => {
    const actions = faults.flatMap((fault, index): FaultAction[] => {
      const isMatch = ['*', method].includes(fault.method) && (fault.words === '*' || path.includes(fault.words));
      if (!isMatch) return [];
      const count = (counts[index] ?? 0) + 1;
      counts[index] = count;
      return fault.nth === undefined || fault.nth === count ? [fault.action] : [];
    });
    return {
      delay: Math.min(
        LONGEST_DELAY,
        actions.reduce((sum, action) => sum + (action.kind === 'delay' ? action.milliseconds : 0), 0),
      ),
      action: actions.find(({ kind }) => kind !== 'delay'),
    };
  };
}

function parseNth(text: string, condition: string | undefined): number | undefined {
  if (condition === undefined) return undefined;
  const nth = Number(/^nth=(\d{1,9})$/.exec(condition)?.[1] ?? 0);
  if (nth < 1) throw createGrammarError(text, `${condition} must be nth=N, with N from 1`);
  return nth;
}

function parseAction(text: string, action: string): FaultAction {
  const plain = PLAIN_ACTIONS.find((kind) => kind === action);
  if (plain !== undefined) return { kind: plain };
  if (/^[45]\d\d$/.test(action)) return { kind: 'status', status: Number(action) };
  const delay = /^delay=(\d+(?:\.\d+)?)(ms|s)$/.exec(action);
  const milliseconds = Number(delay?.[1] ?? Number.NaN) * (delay?.[2] === 's' ? 1_000 : 1);
  if (milliseconds <= LONGEST_DELAY) return { kind: 'delay', milliseconds };
  throw createGrammarError(text, `${action} is not an action`);
}

function createGrammarError(text: string, reason: string): SandboxInputError {
  return new SandboxInputError(
    `can't read the fault "${text}": ${reason}`,
    'For example: "POST authentication-token: nth=1 reset-after-commit"',
    FAULT_GRAMMAR,
  );
}

import { UsageError } from '../lib/errors.ts';
import { parseJson } from '../lib/json.ts';

/**
 * `reset-before` cuts the connection, and the service never sees the request. `reset-after-commit` cuts the connection before
 * the response of a request that was executed. `truncate` sends half of the response's body.
 */
const PLAIN_ACTIONS = ['reset-before', 'reset-after-commit', 'truncate'] as const;

export type FaultAction =
  | { kind: (typeof PLAIN_ACTIONS)[number] }
  | { kind: 'status'; status: number }
  /** A page of a proxy. */
  | { kind: 'html'; status: number }
  | { kind: 'delay'; milliseconds: number }
  /** Each member of these names in the response has this value; undefined takes it away. */
  | { kind: 'with'; members: string[]; value: unknown };

export interface Fault {
  method: string;
  words: string;
  nth?: number;
  action: FaultAction;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', '*'];

/** Parses `METHOD words: [nth=N] action`. Throws UsageError. */
export function parseFault(text: string): Fault {
  const form = /^(\S+)\s+(\S.*?)\s*:\s+(?:nth=([1-9]\d{0,8})\s+)?(\S+)$/s;
  const [, name = '', words = '', nth, actionText = ''] = form.exec(text.trim()) ?? [];
  const method = name.toUpperCase();
  const action = parseAction(actionText);
  if (action && METHODS.includes(method)) return { method, words, nth: nth ? Number(nth) : undefined, action };
  const hint = 'For example: "POST authentication-token: nth=1 reset-after-commit"';
  throw new UsageError(`can't read the fault "${text}"`, { hint });
}

function parseAction(text: string): FaultAction | undefined {
  const plain = PLAIN_ACTIONS.find((kind) => kind === text);
  if (plain !== undefined) return { kind: plain };
  if (/^[45]\d\d$/.test(text)) return { kind: 'status', status: Number(text) };
  const [, name, value = ''] = /^([a-z]+)(?:=(\S+))?$/.exec(text) ?? [];
  if (name === 'html' && /^(200|[45]\d\d)?$/.test(value)) return { kind: name, status: Number(value || 502) };
  if (name === 'without' && value !== '') return { kind: 'with', members: value.split(','), value: undefined };
  const [, member, shown = ''] = /^([^:]+):(.+)$/.exec(value) ?? [];
  const json = shown === 'null' ? null : (parseJson(shown) ?? shown);
  if (name === 'with' && member) return { kind: name, members: [member], value: json };
  const [, amount, unit] = /^(\d{1,6}(?:\.\d+)?)(ms|s)$/.exec(value) ?? [];
  const milliseconds = Number(amount) * (unit === 's' ? 1_000 : 1);
  return name === 'delay' && milliseconds >= 0 ? { kind: name, milliseconds } : undefined;
}

/** Each fault counts the requests that match it. Returns what happens to a request. */
export function createFaultMatcher(faults: Fault[]) {
  const counts = new Map<Fault, number>();
  return (method: string, path: string): FaultAction[] => {
    const isMatch = (fault: Fault): boolean =>
      ['*', method].includes(fault.method) && (fault.words === '*' || path.includes(fault.words));
    const matching = faults.filter(isMatch);
    for (const fault of matching) counts.set(fault, (counts.get(fault) ?? 0) + 1);
    const due = matching.filter((fault) => fault.nth === undefined || fault.nth === counts.get(fault));
    return due.map(({ action }) => action);
  };
}

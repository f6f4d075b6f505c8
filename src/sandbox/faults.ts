import { UsageError } from '../lib/errors.ts';
import { parseJson } from '../lib/json.ts';

/**
 * `reset-before` cuts the connection, and the service never sees the request. `reset-after-commit` cuts the connection before
 * the response of a request that was executed. `truncate` sends half of the response's body.
 */
const PLAIN_ACTIONS = ['reset-before', 'reset-after-commit', 'truncate', 'grow', 'one-by-one'] as const;

/** Each of them can be added to the others: the service itself answers, as it may elsewhere. */
export type FaultChange =
  /** After the response, the organization gets another invitation and an event. */
  | { kind: 'grow' }
  /** A list in the request's body is done entry by entry, up to the first that is refused. */
  | { kind: 'one-by-one' }
  /** Each member of these names in the response has this value; undefined takes it away. */
  | { kind: 'with'; members: string[]; value: unknown }
  /** Links to files have this query and a signature of it, as those of an object storage. */
  | { kind: 'presigned'; query: string };

type FaultAction =
  | { kind: 'status'; status: number }
  /** A page of a proxy. */
  | { kind: 'html'; status: number }
  | { kind: 'delay'; milliseconds: number }
  | { kind: (typeof PLAIN_ACTIONS)[number] }
  | FaultChange;

export interface Fault {
  method: string;
  words: string;
  nth?: number;
  action: FaultAction;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', '*'];

function isChange(action: FaultAction): action is FaultChange {
  return ['grow', 'one-by-one', 'with', 'presigned'].includes(action.kind);
}

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
  if (name === 'html' && /^(200|30[12378]|[45]\d\d)?$/.test(value)) return { kind: name, status: Number(value || 502) };
  if (name === 'without' && value !== '') return { kind: 'with', members: value.split(','), value: undefined };
  const [, member, shown = ''] = /^([^:]+):(.+)$/.exec(value) ?? [];
  const json = shown === 'null' ? null : (parseJson(shown) ?? shown);
  if (name === 'with' && member) return { kind: name, members: [member], value: json };
  if (name === 'presigned' && value !== '') return { kind: name, query: value };
  const [, amount, unit] = /^(\d{1,6}(?:\.\d+)?)(ms|s)$/.exec(value) ?? [];
  const milliseconds = Number(amount) * (unit === 's' ? 1_000 : 1);
  return name === 'delay' && milliseconds >= 0 ? { kind: name, milliseconds } : undefined;
}

/** Each fault counts the requests that match it. Delays add up, and so do changes. Among other actions the first wins. */
export function createFaultMatcher(faults: Fault[]) {
  const counts = faults.map(() => 0);
  return (method: string, path: string) => {
    let delay = 0;
    let action: Exclude<FaultAction, FaultChange> | undefined;
    const changes: FaultChange[] = [];
    for (const [index, fault] of faults.entries()) {
      if (!['*', method].includes(fault.method) || !(fault.words === '*' || path.includes(fault.words))) continue;
      const count = (counts[index] ?? 0) + 1;
      counts[index] = count;
      if (fault.nth !== undefined && fault.nth !== count) continue;
      if (fault.action.kind === 'delay') delay += fault.action.milliseconds;
      else if (isChange(fault.action)) changes.push(fault.action);
      else action ??= fault.action;
    }
    return { delay, action, changes };
  };
}

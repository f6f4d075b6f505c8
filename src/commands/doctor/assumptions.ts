import type { Context } from '../../context/context.ts';
import { OrgctlError } from '../../errors.ts';
import { getMember, isObject } from '../../json-object.ts';
import type { Answer } from '../../service/http.ts';
import { OPERATIONS, type Operation, type OperationCall, type OperationName } from '../../service/operations.ts';
import { parseJson } from '../../service/problem.ts';
import type { Query } from '../../service/query.ts';
import type { AssumptionRow } from './columns.ts';

/** What `orgctl help assumptions` lists, tried as far as reading shows. No name, id or token is part of a row. */

interface Assumption {
  readonly assumption: string;
  /** A reading that needs nothing but an organization. */
  readonly operation: OperationName;
  readonly query?: Query;
  /** Whether it holds, by a success; undefined where that leaves it open. */
  judge(answer: Answer, value: unknown): boolean | undefined;
}

const ONE: Query = [['page[size]', '1']];

const list = (value: unknown, name: 'data' | 'included'): readonly unknown[] => {
  const found = getMember(value, name);
  return Array.isArray(found) ? found : [];
};
const total = (value: unknown): unknown => getMember(value, 'meta', 'pagination', 'total-count');

const TRIED: readonly Assumption[] = [
  {
    assumption: 'a list has its total under meta.pagination.total-count',
    operation: 'list-members',
    query: ONE,
    judge: (_, value) => typeof total(value) === 'number',
  },
  {
    assumption: 'a page of 100 rows can be had',
    operation: 'list-members',
    query: [['page[size]', '100']],
    judge(_, value) {
      const all = total(value);
      return typeof all !== 'number' ? undefined : list(value, 'data').length === Math.min(all, 100);
    },
  },
  {
    assumption: 'a page past the end is empty and keeps the total',
    operation: 'list-members',
    query: [['page[number]', '999999'], ...ONE],
    judge: (_, value) => list(value, 'data').length === 0 && typeof total(value) === 'number',
  },
  {
    assumption: 'links of pages are absolute and keep the other parameters',
    operation: 'list-members',
    query: [['include', 'user'], ...ONE],
    judge(_, value) {
      const link = getMember(value, 'links', 'self');
      return typeof link === 'string' ? /^https?:/.test(link) && link.includes('include=user') : undefined;
    },
  },
  {
    assumption: 'include=user,teams sends users and teams along',
    operation: 'list-members',
    query: [['include', 'user,teams'], ...ONE],
    judge(_, value) {
      const types = list(value, 'included').map((each) => getMember(each, 'type'));
      return list(value, 'data').length === 0 ? undefined : types.includes('users') || types.includes('teams');
    },
  },
  {
    assumption: 'the search of members passes over case',
    operation: 'list-members',
    query: [['q', 'E'], ...ONE],
    judge(_, value) {
      const emails = list(value, 'data').map((row) => getMember(row, 'attributes', 'email'));
      return emails.some((email) => typeof email === 'string' && !email.includes('E')) ? true : undefined;
    },
  },
  {
    assumption: 'ids have no letter that looks like another (0 O I l)',
    operation: 'list-members',
    query: [['page[size]', '100']],
    judge(_, value) {
      const ids = list(value, 'data').map((each) => getMember(each, 'id'));
      return ids.length === 0 ? undefined : ids.every((id) => typeof id === 'string' && !/^ou-.*[0OIl]/.test(id));
    },
  },
  {
    assumption: 'a list says how many members of each status there are',
    operation: 'list-members',
    query: ONE,
    judge: (_, value) => isObject(getMember(value, 'meta', 'status-counts')),
  },
  {
    assumption: 'the limit of requests is named in headers',
    operation: 'ping',
    judge: ({ headers }) => headers['x-ratelimit-limit'] !== undefined,
  },
  {
    assumption: 'your own memberships come at once, without pages',
    operation: 'list-own-memberships',
    judge: (_, value) => getMember(value, 'meta', 'pagination') === undefined,
  },
  {
    assumption: 'the account names the token that asks',
    operation: 'show-account',
    judge: (_, value) => typeof getMember(value, 'data', 'links', 'auth-token') === 'string',
  },
  {
    assumption: 'a team says how many people it has',
    operation: 'list-teams',
    query: ONE,
    judge(_, value) {
      const [team] = list(value, 'data');
      return team === undefined ? undefined : typeof getMember(team, 'attributes', 'users-count') === 'number';
    },
  },
];

/** Each operation of the kind that is not in the document: whether there is such a route. */
function listRoutes(): readonly Assumption[] {
  return (Object.keys(OPERATIONS) as OperationName[]).flatMap((operation) => {
    const { request, assumedAllowed }: Operation = OPERATIONS[operation];
    const { method, path, atOrigin, mediaType } = request;
    const needsMore = path === undefined || /:(?!organization\b)/.test(path);
    if (method !== 'GET' || assumedAllowed === undefined || needsMore || atOrigin || mediaType !== undefined) return [];
    return [{ assumption: `there is a route ${describePath(operation)}`, operation, judge: () => true }];
  });
}

/** One request for each, and what it says. Throws where no organization is known. */
export async function tryAssumptions({ identity, services }: Context): Promise<readonly AssumptionRow[]> {
  const organization = identity.organization();
  const service = await services.current();
  const rows: AssumptionRow[] = [];
  for (const { assumption, operation, query = [], judge } of [...listRoutes(), ...TRIED]) {
    const request = describeRequest(operation, query);
    const call = { operation, parameters: { organization } } as OperationCall;
    try {
      const answer = await service.ask({ ...call, query });
      const isSuccess = answer.status >= 200 && answer.status < 300;
      const holds = isSuccess ? judge(answer, parseJson(answer.text)) : undefined;
      rows.push({ assumption, holds: toWord(holds), status: answer.status, request });
    } catch (error) {
      if (!(error instanceof OrgctlError) || error.exit !== 'unavailable') throw error;
      rows.push({ assumption, holds: 'unknown', status: null, request });
    }
  }
  return rows;
}

/** Without the name of the organization. */
function describeRequest(operation: OperationName, query: Query): string {
  return `${OPERATIONS[operation].request.method} ${describePath(operation, query)}`;
}

/** With what the operation itself asks for: two can differ in that alone. */
function describePath(operation: OperationName, query: Query = []): string {
  const { path, query: own = [] }: Operation['request'] = OPERATIONS[operation].request;
  const pairs = [...own, ...query].map(([name, value]) => `${name}=${value}`);
  return `${path}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
}

function toWord(holds: boolean | undefined): AssumptionRow['holds'] {
  return holds === undefined ? 'unknown' : holds ? 'yes' : 'no';
}

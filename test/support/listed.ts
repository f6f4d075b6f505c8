import { type Fault, pass } from './faults.ts';
import { type Front, startFront } from './front.ts';
import { type Clock, runTimed } from './timed.ts';

/** A service that has one list, of members, and answers as the test decides. */

export interface Asked {
  number: number;
  size: number;
  /** How many requests came before. */
  before: number;
}

interface Pagination {
  'current-page'?: number;
  'page-size'?: number;
  'prev-page'?: number | null;
  'next-page'?: number | null;
  'total-pages'?: number;
  'total-count'?: number;
}

export interface Sheet {
  rows: Row[];
  /** Undefined for a service without one. */
  pagination: Pagination | undefined;
}

export interface Row {
  id: string;
  status: string;
  /** The user: several rows may have the same. */
  user: string;
}

export const createRow = (index: number): Row => ({ id: `ou-${index}`, status: 'active', user: `user-${index}` });

export const createRows = (count: number): Row[] => Array.from({ length: count }, (_, index) => createRow(index));

/** The page as the service's document has it. */
export function createSheet(rows: Row[], { number, size }: Pick<Asked, 'number' | 'size'>): Sheet {
  const pages = Math.ceil(rows.length / size);
  return {
    rows: rows.slice((number - 1) * size, number * size),
    pagination: {
      'current-page': number,
      'page-size': size,
      'prev-page': number > 1 ? number - 1 : null,
      'next-page': number < pages ? number + 1 : null,
      'total-pages': pages,
      'total-count': rows.length,
    },
  };
}

export interface Listed extends Front {
  /** Lists its members, and returns stdout in pieces. */
  list(argv: string[], onStdout: (piece: Buffer) => void): ReturnType<typeof runTimed>;
  /** The same, with stdout as text. */
  read(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
}

export async function startListed(
  serve: (asked: Asked) => Sheet,
  options: { through?: Fault; clock?: Clock } = {},
): Promise<Listed> {
  let before = 0;
  const front = await startFront(
    {
      async handle(request) {
        const query = new URL(request.url).searchParams;
        const number = Number(query.get('page[number]') ?? 1);
        const size = Number(query.get('page[size]') ?? 20);
        const sheet = serve({ number, size, before });
        before += 1;
        return Response.json(createDocument(sheet), { headers: { 'content-type': 'application/vnd.api+json' } });
      },
    },
    options.through ?? pass,
  );
  const list: Listed['list'] = (argv, onStdout) =>
    runTimed(['members', 'list', ...argv], {
      ...(options.clock === undefined ? {} : { clock: options.clock }),
      env: { ORGCTL_BASE_URL: front.url, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: 'a-token-of-tests' },
      onStdout,
    });
  return {
    ...front,
    list,
    async read(...argv) {
      const pieces: Buffer[] = [];
      const result = await list(argv, (piece) => pieces.push(piece));
      return { ...result, stdout: Buffer.concat(pieces).toString('utf8') };
    },
  };
}

function createDocument({ rows, pagination }: Sheet): object {
  return {
    data: rows.map(({ id, status, user }) => ({
      id,
      type: 'organization-memberships',
      attributes: { status, email: `${user}@example.com` },
      relationships: {
        user: { data: { id: user, type: 'users' } },
        teams: { data: [{ id: 'team-1', type: 'teams' }] },
      },
    })),
    included: [...new Set(rows.map(({ user }) => user))].map((id) => ({
      id,
      type: 'users',
      attributes: { username: `name-of-${id}` },
    })),
    ...(pagination === undefined ? {} : { meta: { pagination } }),
  };
}

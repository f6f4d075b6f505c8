import { createSecrets } from '../secrets/secrets.ts';
import { isTokenText, LONGEST_TOKEN } from '../secrets/token.ts';
import type { Resource, ResourceDocument } from '../wire/json-api.ts';
import { AUTHENTICATION_TOKEN_REQUEST, AUTHENTICATION_TOKENS } from '../wire/resources.ts';
import { findRemoval, findRemovalFrom } from './ambiguous-write.ts';
import { type Call, type CallAnswer, type Client, readList, readNothing, readResource } from './client.ts';
import { createResourceList } from './lists.ts';
import { describeCallers, OPERATIONS, type OperationCall } from './operations.ts';
import type { PageOptions } from './page.ts';
import type { ListReading } from './pages.ts';
import { toUnreadableError } from './problem.ts';

/** A team, as its tokens are asked for. */
export interface TokenTeam {
  readonly id: string;
  readonly name: string;
}

/** Where there is one token, which a new one replaces. A team's is the one without a description. */
export type TokenPlace =
  | { readonly kind: 'audit-trail' | 'organization'; readonly organization: string }
  | { readonly kind: 'team'; readonly team: TokenTeam };

/** The same, or a token by its id. */
export type TokenTarget = TokenPlace | { readonly kind: 'id'; readonly id: string };

export interface MadeToken {
  readonly document: ResourceDocument;
  readonly secret: string;
  /** Notes in the log that the service created it. To be called once the secret is safe. */
  noteAnswer(): void;
}

/** What a new token is asked for. `effect` completes the sentence "Would …". */
interface NewToken {
  /** UTC text, null for never, undefined to leave the attribute out. */
  readonly expiredAt: string | null | undefined;
  readonly effect?: string | undefined;
}

/** Assumed: a service that is written in Go sends 0001-01-01T00:00:00Z for a time that doesn't exist. */
const NO_TIME = '0001-01-01T00:00:00Z';

/** The tokens of an organization and of its teams. Outside the document but for the audit trail token, so Assumed throughout. */
export function createTokens(client: Client, creationTimeout: number, warn: (text: string) => void) {
  // Tokens made in this run: a service may repeat them in any place, and only one is theirs.
  const made = createSecrets();
  /** The token's metadata, never its secret. */
  const show = async (target: TokenTarget): Promise<ResourceDocument> => {
    const answer = await client.read(toCall(target, 'show'));
    const document = readResource({ ...answer, text: made.redactAnswer(answer.text) });
    const { attributes = {} } = document.data;
    if (attributes['last-used-at'] !== NO_TIME) return document;
    return { ...document, data: { ...document.data, attributes: { ...attributes, 'last-used-at': null } } };
  };
  /**
   * One POST, on a connection of its own; sent again only where it provably did not reach the service or was refused for its
   * rate. Throws `outcome-unknown` where there may be a new token. Undefined in a dry run.
   */
  const create = async (call: OperationCall, type: string, attributes: object, effect: string | undefined) => {
    const written = await client.write({
      ...call,
      body: { data: { type, attributes } },
      ...(effect === undefined ? {} : { effect }),
      timeout: creationTimeout,
      ownConnection: true,
      ownAnswer: true,
      read(answer) {
        const secret = readResource(answer).data.attributes?.['token'];
        // What no header can carry is no token, and would be obeyed by a terminal. Assumed: the answer has the new
        // secret in the attribute `token`; the service's document says only that the answer contains it.
        if (typeof secret !== 'string' || !isTokenText(secret)) {
          const isLong = typeof secret === 'string' && secret.length > LONGEST_TOKEN;
          const why = isLong ? `the token in it is longer than ${LONGEST_TOKEN} characters` : 'it holds no token';
          throw toUnreadableError(answer, why);
        }
        made.hide(secret);
        return { document: withSecret({ ...answer, text: made.redactAnswer(answer.text) }, secret), secret };
      },
    });
    return written === undefined ? undefined : { ...written.value, noteAnswer: written.noteAnswer };
  };
  return {
    show,
    /** The tokens of all teams, with a description and without. They have no names of teams. */
    listOfTeams(organization: string, page: PageOptions = {}): ListReading<Resource> {
      const call = { operation: 'list-team-tokens', parameters: { organization } } as const;
      return createResourceList(client, call, { paginate: true, page, warn });
    },
    /** Kills the token that is there. */
    replace: (place: TokenPlace, { expiredAt, effect }: NewToken): Promise<MadeToken | undefined> =>
      create(toCall(place, 'generate'), AUTHENTICATION_TOKEN_REQUEST, toExpiry(expiredAt), effect),
    /** Touches no other token. The service refuses a description that another token of the team has. */
    add: (team: TokenTeam, description: string, { expiredAt, effect }: NewToken): Promise<MadeToken | undefined> =>
      create(
        { operation: 'add-team-token', parameters: { id: team.id, team: team.name } },
        AUTHENTICATION_TOKENS,
        { description, ...toExpiry(expiredAt) },
        effect,
      ),
    /** False in a dry run. `before`: the id of the token that this run has seen there; undefined where it has seen none. */
    async delete(target: TokenTarget, before: string | undefined, effect?: string): Promise<boolean> {
      const written = await client.write({
        ...toCall(target, 'delete'),
        ...(effect === undefined ? {} : { effect }),
        read: readNothing,
        findOutcome: () =>
          target.kind === 'id' ? findRemoval(() => show(target)) : findRemovalFrom(() => show(target), before),
      });
      return written !== undefined;
    },
    /** What the organization lets tokens be valid at most, by kind; one that the service does not name is left out. */
    async listPolicies(organization: string): Promise<readonly Resource[]> {
      const call: Call = { operation: 'list-token-policies', parameters: { organization } };
      return readList(await client.read(call)).data;
    },
  };
}

const READINGS = {
  'audit-trail': 'show-audit-token',
  organization: 'show-organization-token',
  team: 'list-team-tokens',
} as const;

/** Who can read tokens of a kind. */
export function describeReaders(kind: TokenPlace['kind']): string {
  return describeCallers(OPERATIONS[READINGS[kind]]);
}

function toExpiry(expiredAt: string | null | undefined): { readonly 'expired-at'?: string | null } {
  return expiredAt === undefined ? {} : { 'expired-at': expiredAt };
}

type Act = 'show' | 'generate' | 'delete';

function toCall(target: TokenPlace, act: Act): OperationCall;
function toCall(target: TokenTarget, act: Exclude<Act, 'generate'>): OperationCall;
function toCall(target: TokenTarget, act: Act): OperationCall {
  switch (target.kind) {
    case 'audit-trail':
      return { operation: `${act}-audit-token`, parameters: { organization: target.organization } };
    case 'organization':
      return { operation: `${act}-organization-token`, parameters: { organization: target.organization } };
    case 'team':
      return { operation: `${act}-team-token`, parameters: { id: target.team.id, team: target.team.name } };
    case 'id':
      return { operation: act === 'delete' ? 'delete-token' : 'show-token', parameters: { id: target.id } };
  }
}

/** The document of an answer from which the secret was taken out, with the secret in its own place. */
function withSecret(answer: CallAnswer, secret: string): ResourceDocument {
  const document = readResource(answer);
  const { data } = document;
  return { ...document, data: { ...data, attributes: { ...data.attributes, token: secret } } };
}

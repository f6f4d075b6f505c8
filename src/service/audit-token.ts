import { ServiceError } from '../errors.ts';
import { createSecrets } from '../secrets/secrets.ts';
import { isTokenText, LONGEST_TOKEN } from '../secrets/token-text.ts';
import type { ResourceDocument } from '../wire/json-api.ts';
import { AUTHENTICATION_TOKEN_REQUEST, type AuthenticationToken, type CreateTokenRequest } from '../wire/resources.ts';
import { type Call, type Client, readNothing, readResource } from './client.ts';
import { toUnreadableError } from './problem.ts';
import { path, type Query } from './query.ts';
import type { Answer } from './transport.ts';

/** The audit trail token of an organization (document: Endpoints, Audit trail tokens). One exists at most. */
export interface AuditTokens {
  /** The token's metadata, never its secret; undefined on 404, whatever that means there. Outside the document. */
  find(organization: string): Promise<ResourceDocument | undefined>;
  show(organization: string): Promise<ResourceDocument>;
  /**
   * One POST, which kills the current token, on a connection of its own; sent again only where it provably did not reach
   * the service or was refused for its rate. Throws `outcome-unknown` where the current token may be dead.
   * `expiredAt`: UTC text, null for never, undefined to leave the attribute out. Undefined in a dry run.
   */
  generate(organization: string, expiredAt: string | null | undefined): Promise<MadeToken | undefined>;
  /** False in a dry run. `existed`: this run has seen the token, so that a 404 afterwards means that it is gone. */
  delete(organization: string, existed: boolean): Promise<boolean>;
}

export interface MadeToken {
  readonly document: ResourceDocument;
  readonly secret: string;
}

// Without this parameter the same path is the organization's ordinary token.
const AUDIT_TRAILS: Query = [['token', 'audit-trails']];

/** The organization whose audit trail token a request is about; undefined for any other request. `requested` is a path below the base URL, percent-encoded. */
export function findAuditTokenOwner(requested: string, query: Query): string | undefined {
  const owner = /^\/organizations\/([^/]+)\/authentication-token\/?$/.exec(decodeURIComponent(requested))?.[1];
  return AUDIT_TRAILS.every(([name, value]) => query.some((pair) => pair[0] === name && pair[1] === value))
    ? owner
    : undefined;
}

export function createAuditTokens(client: Client, mintTimeout: number): AuditTokens {
  // Tokens made in this run: a service may repeat them in any place, and only one is theirs.
  const made = createSecrets();
  const show = async (organization: string): Promise<ResourceDocument> => {
    const call = toCall('show-audit-token', `show the audit trail token of ${organization}`, organization);
    const answer = await client.read(call);
    return readResource({ ...answer, text: made.redactAnswer(answer.text) }, call.what);
  };
  const find = (organization: string): Promise<ResourceDocument | undefined> =>
    show(organization).catch((error: unknown) => {
      if (error instanceof ServiceError && error.status === 404) return undefined;
      throw error;
    });
  const generate: AuditTokens['generate'] = async (organization, expiredAt) => {
    const call = toCall('generate-audit-token', `generate the audit trail token of ${organization}`, organization);
    const body: CreateTokenRequest = {
      data: {
        type: AUTHENTICATION_TOKEN_REQUEST,
        attributes: expiredAt === undefined ? {} : { 'expired-at': expiredAt },
      },
    };
    const written = await client.write({
      ...call,
      body,
      timeout: mintTimeout,
      ownConnection: true,
      read(answer) {
        const secret = (readResource(answer, call.what).data as AuthenticationToken).attributes?.token;
        // Assumed: the secret is there; the service's document says only that the answer contains it.
        // What no header can carry is no token, and would be obeyed by a terminal.
        if (typeof secret !== 'string' || !isTokenText(secret)) {
          const isLong = typeof secret === 'string' && secret.length > LONGEST_TOKEN;
          const why = isLong ? `the token in it is longer than ${LONGEST_TOKEN} characters` : 'it holds no token';
          throw toUnreadableError(answer, call.what, why);
        }
        made.hide(secret);
        return { document: withSecret({ ...answer, text: made.redactAnswer(answer.text) }, call.what, secret), secret };
      },
    });
    return written?.value;
  };
  return {
    show,
    find,
    generate,
    async delete(organization, existed) {
      const call = toCall('delete-audit-token', `delete the audit trail token of ${organization}`, organization);
      const written = await client.write({
        ...call,
        read: (answer) => readNothing(answer, call.what),
        async settle() {
          if (!existed) return 'unknown';
          return (await find(organization)) === undefined ? { happened: true, value: undefined } : { happened: false };
        },
      });
      return written !== undefined;
    },
  };
}

/** The document of an answer from which the secret was taken out, with the secret in its own place. */
function withSecret(answer: Answer, what: string, secret: string): ResourceDocument {
  const document = readResource(answer, what);
  const { data } = document;
  return { ...document, data: { ...data, attributes: { ...data.attributes, token: secret } } };
}

function toCall(
  operation: 'show-audit-token' | 'generate-audit-token' | 'delete-audit-token',
  what: string,
  organization: string,
): Call {
  return {
    operation,
    what,
    path: path`/organizations/${organization}/authentication-token`,
    query: AUDIT_TRAILS,
  };
}

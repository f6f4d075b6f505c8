import { ConnectionError, orUndefined, ServiceError } from '../errors.ts';
import { getMember } from '../json-object.ts';
import { createSecrets } from '../secrets/secrets.ts';
import { isTokenText, LONGEST_TOKEN } from '../secrets/token.ts';
import type { ResourceDocument } from '../wire/json-api.ts';
import { AUTHENTICATION_TOKEN_REQUEST } from '../wire/resources.ts';
import { findRemoval } from './ambiguous-write.ts';
import { type CallAnswer, type Client, readNothing, readObject, readResource } from './client.ts';
import { toUnreadableError } from './problem.ts';

/** The service's names for what a policy is about: here with an underscore. */
export type PolicyType = 'audit_trails' | 'organization';

export interface MadeToken {
  readonly document: ResourceDocument;
  readonly secret: string;
  /** Notes in the log that the service created it. To be called once the secret is safe. */
  noteAnswer(): void;
}

/** The audit trail token of an organization (document: Endpoints, Audit trail tokens). One exists at most. */
export function createAuditTokens(client: Client, creationTimeout: number) {
  // Tokens made in this run: a service may repeat them in any place, and only one is theirs.
  const made = createSecrets();
  /** The token's metadata, never its secret. Outside the document. */
  const show = async (organization: string): Promise<ResourceDocument> => {
    const answer = await client.read({ operation: 'show-audit-token', parameters: { organization } });
    return readResource({ ...answer, text: made.redactAnswer(answer.text) });
  };
  /**
   * One POST, which kills the current token, on a connection of its own; sent again only where it provably did not reach
   * the service or was refused for its rate. Throws `outcome-unknown` where the current token may be dead.
   * `expiredAt`: UTC text, null for never, undefined to leave the attribute out. `effect` completes the sentence
   * "Would …". Undefined in a dry run.
   */
  const generate = async (
    organization: string,
    expiredAt: string | null | undefined,
    effect?: string,
  ): Promise<MadeToken | undefined> => {
    const attributes = expiredAt === undefined ? {} : { 'expired-at': expiredAt };
    const written = await client.write({
      operation: 'generate-audit-token',
      parameters: { organization },
      body: { data: { type: AUTHENTICATION_TOKEN_REQUEST, attributes } },
      ...(effect === undefined ? {} : { effect }),
      timeout: creationTimeout,
      ownConnection: true,
      ownAnswer: true,
      read(answer) {
        const secret = readResource(answer).data.attributes?.['token'];
        // Assumed: the secret is there; the service's document says only that the answer contains it.
        // What no header can carry is no token, and would be obeyed by a terminal.
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
  /** Outside the document. One request, never sent again: whatever keeps us from knowing is no reason to wait. */
  const readIfShown = async (
    operation: 'list-token-policies' | 'show-organization',
    organization: string,
  ): Promise<unknown> => {
    try {
      return readObject(await client.read({ operation, parameters: { organization }, maxRetries: 0 }))['data'];
    } catch (error) {
      if (error instanceof ServiceError || error instanceof ConnectionError) return undefined;
      throw error;
    }
  };
  return {
    show,
    /** How many milliseconds a new token may be valid, as the organization's policy has it; undefined where the service does not say. */
    async findMaximum(organization: string, type: PolicyType): Promise<number | undefined> {
      const data = await readIfShown('list-token-policies', organization);
      const policies = Array.isArray(data) ? data.map((each) => getMember(each, 'attributes')) : [];
      const maximum = getMember(
        policies.find((each) => getMember(each, 'token-type') === type),
        'max-ttl-ms',
      );
      return typeof maximum === 'number' && Number.isSafeInteger(maximum) && maximum > 0 ? maximum : undefined;
    },
    /** Whether the organization's policies are on; undefined where the service does not say. */
    async findPolicySwitch(organization: string): Promise<boolean | undefined> {
      const isOn = getMember(await readIfShown('show-organization', organization), 'attributes', 'max-ttl-enabled');
      return typeof isOn === 'boolean' ? isOn : undefined;
    },
    /** Undefined on 404, whatever that means there. */
    find: (organization: string) => orUndefined(show(organization)),
    generate,
    /** False in a dry run. `existed`: this run has seen the token, so that a 404 afterwards means that it is gone. */
    async delete(organization: string, existed: boolean, effect?: string): Promise<boolean> {
      const written = await client.write({
        operation: 'delete-audit-token',
        parameters: { organization },
        ...(effect === undefined ? {} : { effect }),
        read: readNothing,
        async findOutcome() {
          return existed ? await findRemoval(() => show(organization)) : 'unknown';
        },
      });
      return written !== undefined;
    },
  };
}

/** The document of an answer from which the secret was taken out, with the secret in its own place. */
function withSecret(answer: CallAnswer, secret: string): ResourceDocument {
  const document = readResource(answer);
  const { data } = document;
  return { ...document, data: { ...data, attributes: { ...data.attributes, token: secret } } };
}

import { isAbsolute } from 'node:path';
import { ConnectionError, OrgctlError, ServiceError, toErrorCode, toFault, UsageError } from '../errors.ts';
import { appendLine, OpenToOthers } from '../files/append.ts';
import { toFingerprint } from '../secrets/fingerprint.ts';
import type { LogEntry, WireRequest, WriteLog } from './http.ts';
import { findOperation } from './operations.ts';

export interface WriteLogOptions {
  readonly path: string;
  /** Where the path came from. */
  readonly source: string;
  /** Who sends the writes, as far as known. */
  readonly who: object;
  readonly now: () => number;
  readonly createId: () => string;
  /** Takes every secret out of a line. */
  readonly redact: (line: object) => unknown;
  readonly warn: (text: string) => void;
}

/** A file with two lines of JSON for each write: that it is about to be sent, and how it was answered. */
export function createWriteLog(options: WriteLogOptions): WriteLog {
  const { path, source } = options;
  const at = (): string => new Date(options.now()).toISOString();
  const append = (line: object): void => appendLine(path, JSON.stringify(options.redact(line)));
  return {
    open(): LogEntry {
      const id = options.createId();
      let sent: WireRequest | undefined;
      let requests = 0;
      const answer = (end: object): void => {
        // A request that never left has no first line in the log either.
        if (sent === undefined) return;
        try {
          append({ event: 'answered', id, at: at(), ...end, ...(requests > 1 ? { requests } : {}) });
        } catch (error) {
          options.warn(`can't write to ${path} (from ${source}) how this ended: ${sent.effect} (${toLogFault(error)})`);
        }
      };
      return {
        sent(request, target) {
          requests += 1;
          if (sent !== undefined) return;
          const { operation, organization = null, method, effect } = request;
          const name = operation === 'generic' ? findName(request) : operation;
          try {
            if (!isAbsolute(path)) throw new Error('it is not an absolute path');
            const what = { organization, operation: name, effect, method, target };
            append({ event: 'sent', id, at: at(), who: options.who, ...what });
          } catch (error) {
            throw toUnwritable(error, { path, source, effect });
          }
          sent = request;
        },
        done: ({ status, requestId, secret }) =>
          answer({
            outcome: 'done',
            ...toAnswered(status, requestId),
            ...(secret === undefined ? {} : { fingerprint: toFingerprint(secret) }),
          }),
        failed(error, isStopped) {
          const isUnknown = isStopped || !(error instanceof OrgctlError) || error.exit === 'outcome-unknown';
          const problem = isUnknown && error instanceof OrgctlError ? (error.cause ?? error) : error;
          const status = problem instanceof ServiceError ? problem.status : undefined;
          const isReference = problem instanceof ServiceError || problem instanceof ConnectionError;
          answer({
            outcome: isUnknown ? 'unknown' : 'failed',
            ...toAnswered(status, isReference ? problem.request.id : undefined),
            error: problem instanceof OrgctlError ? problem.code : 'failure',
          });
        },
      };
    },
  };
}

/** The operation that a request by its path is, where it is one of the table. */
function findName({ method, path, query, operation }: WireRequest): string {
  return findOperation(method, path, [...new URLSearchParams(query)]) ?? operation;
}

function toAnswered(status: number | undefined, id: string | undefined): object {
  return { ...(status === undefined ? {} : { status }), ...(id === undefined ? {} : { 'request-id': id }) };
}

function toLogFault(error: unknown): string {
  return toErrorCode(error) === 'ENOENT' ? "its folder doesn't exist" : toFault(error);
}

function toUnwritable(
  error: unknown,
  { path, source, effect }: { readonly path: string; readonly source: string; readonly effect: string },
): UsageError {
  return new UsageError(`can't write to ${path} (from ${source}): ${toLogFault(error)}`, {
    code: 'log-file',
    reasons: [`Not sent: ${effect}.`],
    ...(error instanceof OpenToOthers
      ? { hint: 'Make it readable and writable by you alone.', next: [['chmod', '600', path]] }
      : { hint: `Set ${source} to the whole path of a file that you can write, with room on its disk.` }),
    cause: error,
  });
}

import type { JsonObject } from '../lib/json.ts';
import { appendPrivateLine } from '../lib/own-files.ts';
import type { Redactor } from '../lib/redact.ts';
import type { Call } from './operations.ts';

/** Writes ORGCTL_LOG_FILE: a JSON line before each write is sent and one after its answer, without secrets and bodies. */
export interface WriteLog {
  /** Throws UsageError if the first line can't be written. The write must not be sent then. */
  open(call: Call): { close(result: string): void };
}

export function createWriteLog(options: {
  path: string;
  /** User, machine and process. */
  author: JsonObject;
  redactor: Redactor;
  now(): number;
  createId(): string;
  warn(text: string): void;
}): WriteLog {
  const { path, author, redactor, now, createId, warn } = options;
  const append = (line: JsonObject): void => appendPrivateLine(path, JSON.stringify(redactor.json(line)));
  return {
    open({ method, path: target, action, people, org }) {
      const id = createId();
      const request = { method, path: target, what: action, people, organization: org };
      append({ time: new Date(now()).toISOString(), id, event: 'sent', ...author, ...request });
      return {
        close(result) {
          try {
            append({ time: new Date(now()).toISOString(), id, event: 'answered', result });
          } catch {
            // The write has happened, so its result must still be printed.
            warn(`can't log the end of a write to ${path}`);
          }
        },
      };
    },
  };
}

import type { JsonObject } from '../lib/json.ts';
import { appendPrivateLine } from '../lib/own-files.ts';
import type { Redactor } from '../lib/redact.ts';
import type { Runtime } from '../lib/runtime.ts';
import type { Call } from './operations.ts';

type Machine = Pick<Runtime, 'author' | 'now' | 'randomBytes'>;
export type WriteLog = ReturnType<typeof createWriteLog>;

/** Writes ORGCTL_LOG_FILE: a JSON line before each write is sent and one after its answer, without secrets and bodies. */
export function createWriteLog(path: string, runtime: Machine, redactor: Redactor, warn: (text: string) => void) {
  const append = (line: JsonObject): void => {
    const time = new Date(runtime.now()).toISOString();
    appendPrivateLine(path, JSON.stringify(redactor.json({ time, ...line })));
  };
  return {
    /** Throws UsageError if the line can't be written. The write must not be sent then. */
    open({ method, path: target, action, people, org }: Call) {
      const id = Buffer.from(runtime.randomBytes(8)).toString('hex');
      const request = { method, path: target, what: action, people, organization: org };
      append({ id, event: 'sent', ...runtime.author, ...request });
      return {
        close(result: string): void {
          try {
            append({ id, event: 'answered', result });
          } catch {
            // The write has happened, so its result must still be printed.
            warn(`can't log the end of a write to ${path}`);
          }
        },
      };
    },
  };
}

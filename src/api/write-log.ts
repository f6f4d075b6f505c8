import { appendPrivateLine } from '../lib/files.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Redactor } from '../lib/redact.ts';
import type { Call } from './operations.ts';

/** ORGCTL_LOG_FILE: a JSON line before each write leaves and one after its answer, without secrets and bodies. */
export interface WriteLog {
  /** Throws UsageError if the first line can't be written: then nothing may be sent. */
  open(call: Call): { close(result: string): void };
}

export function createWriteLog(options: {
  path: string;
  /** Who writes: user, machine, process. */
  who: JsonObject;
  redactor: Redactor;
  now(): number;
  createId(): string;
  warn(text: string): void;
}): WriteLog {
  const { path, who, redactor, now, createId, warn } = options;
  const append = (line: JsonObject): void => appendPrivateLine(path, JSON.stringify(redactor.json(line)));
  return {
    open({ method, path: target, what, org }) {
      const id = createId();
      append({
        time: new Date(now()).toISOString(),
        id,
        event: 'sent',
        ...who,
        method,
        path: target,
        what,
        organization: org,
      });
      return {
        close(result) {
          try {
            append({ time: new Date(now()).toISOString(), id, event: 'answered', result });
          } catch {
            // The write has happened, and its result is still worth printing.
            warn(`the end of a write could not be noted in ${path}`);
          }
        },
      };
    },
  };
}

import { formatInOneLine, isFailure } from '../../lib/errors.ts';
import type { ExitName } from '../../lib/exit-codes.ts';

/** What a check found, and at most one thing to do. */
export interface Finding {
  result: 'ok' | 'attention' | 'failed';
  finding: string;
  fix?: string | undefined;
  /** Of one that failed. */
  exit?: ExitName;
}

export function ok(finding: string): Finding {
  return { result: 'ok', finding };
}

export function attention(finding: string, fix?: string): Finding {
  return { result: 'attention', finding, fix };
}

/** Throws what is no error of orgctl, and what a signal threw. */
export function failed(error: unknown): Finding {
  if (!isFailure(error)) throw error;
  return { result: 'failed', finding: formatInOneLine(error), fix: error.hint, exit: error.exit };
}

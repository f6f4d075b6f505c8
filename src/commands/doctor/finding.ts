import { formatInOneLine, isFailure } from '../../lib/errors.ts';
import type { ExitName } from '../../lib/exit-codes.ts';

export interface Finding {
  result: 'ok' | 'attention' | 'failed';
  finding: string;
  fix?: string;
  /** Only if the check failed. */
  exit?: ExitName;
}

export function ok(finding: string): Finding {
  return { result: 'ok', finding };
}

export function attention(finding: string, fix?: string): Finding {
  return { result: 'attention', finding, fix };
}

/** Throws signals, and errors that are bugs. */
export function failed(error: unknown): Finding {
  if (!isFailure(error)) throw error;
  return { result: 'failed', finding: formatInOneLine(error), fix: error.hint, exit: error.exit };
}

import { type OrgctlError, UsageError } from '../../errors.ts';
import type { ExitName } from '../../exit-codes.ts';

export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'attention' | 'failed';
  readonly detail: string;
  readonly fix: string | null;
  readonly next?: readonly (readonly string[])[];
  readonly exit?: ExitName;
}

export function ok(check: string, detail: string): Finding {
  return { check, status: 'ok', detail, fix: null };
}

export function attention(
  check: string,
  detail: string,
  fix: string,
  ...next: readonly (readonly string[])[]
): Finding {
  return { check, status: 'attention', detail, fix, next };
}

export function failed(
  check: string,
  exit: ExitName,
  detail: string,
  fix: string,
  ...next: readonly (readonly string[])[]
): Finding {
  return { check, status: 'failed', detail, fix, exit, next };
}

export function isFailed({ status }: Finding): boolean {
  return status === 'failed';
}

export function failedBy(check: string, error: OrgctlError): Finding {
  return failed(check, error.exit, toDetail(error.message, error.reasons), error.hint ?? '', ...error.next);
}

/** A finding and its reasons on one line. */
export function toDetail(finding: string, reasons: readonly string[]): string {
  return [finding, ...reasons].map((text) => text.replace(/\.$/, '')).join('. ');
}

/** What a check finds, or the usage error it ran into as a failure of it. */
export function orFailed<Found>(check: string, find: () => Found): Found | Finding {
  try {
    return find();
  } catch (error) {
    if (error instanceof UsageError) return failedBy(check, error);
    throw error;
  }
}

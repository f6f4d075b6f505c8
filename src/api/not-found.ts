import { ConnectionError, ServiceError } from '../lib/errors.ts';

function isNotFound(error: unknown): boolean {
  return error instanceof ServiceError && error.status === 404;
}

/** Whether the answer was 403 or 404. */
export function isRefused(error: unknown): error is ServiceError {
  return error instanceof ServiceError && [403, 404].includes(error.status);
}

/** Whether the service has no such route, or shows nothing at it. */
export function isMissing(error: unknown): boolean {
  return isNotFound(error) || (error instanceof ConnectionError && error.code === 'not-the-service');
}

/** Whether the service has no such route, or the caller has no permission. */
export function isHidden(error: unknown): boolean {
  return isMissing(error) || (error instanceof ServiceError && error.status === 403);
}

/** Undefined for a 404, or for the errors that `matches` names. */
export async function catchNotFound<T>(reading: Promise<T>, matches = isNotFound): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (matches(error)) return undefined;
    throw error;
  }
}

import { isFailure, ServiceError } from '../lib/errors.ts';

// A ServiceError of these statuses is the service's own (error-document.ts). Nothing else means "none" or "not shown".

/** Whether the service has no such route, or shows nothing at it. */
export function isNotFound(error: unknown): error is ServiceError {
  return error instanceof ServiceError && [404, 405].includes(error.status);
}

/** Whether the service has no such route, or shows nothing at it to the caller. */
export function isRefused(error: unknown): error is ServiceError {
  return isNotFound(error) || (error instanceof ServiceError && error.status === 403);
}

/** Undefined for every failure: for what a result can do without, or what is unknown then. */
export function readDecoration<T>(reading: Promise<T>): Promise<T | undefined> {
  return catchNotFound(reading, isFailure);
}

/** Undefined for a 404 or 405, or for the errors that `matches` names. */
export async function catchNotFound<T>(reading: Promise<T>, matches: (error: unknown) => boolean = isNotFound) {
  try {
    return await reading;
  } catch (error) {
    if (matches(error)) return undefined;
    throw error;
  }
}

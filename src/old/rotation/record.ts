import { ConnectionError, ServiceError, toReason, UsageError } from '../errors.ts';
import type { DeliveredToken, Journal } from './journal.ts';

/**
 * Replaces or deletes the token without a rotation. What is remembered of the token is forgotten before, so that a killed
 * run does not leave what is no longer true. For the holder of the lock only.
 * `isShown`: whether the service shows the token's metadata, where this run has seen it.
 */
export async function changeToken<T>(
  journal: Journal,
  isShown: boolean | undefined,
  warn: (text: string) => void,
  act: () => Promise<T>,
): Promise<T> {
  const before = journal.read();
  const { last, ...rest } = before;
  const metadata = isShown ?? before.metadata;
  if (last !== undefined || metadata !== before.metadata) {
    await journal.write({ ...rest, ...(metadata === undefined ? {} : { metadata }) });
  }
  try {
    return await act();
  } catch (error) {
    const stays = error instanceof ServiceError || error instanceof ConnectionError || error instanceof UsageError;
    if (last !== undefined && stays) {
      await journal.write(before).catch((problem: unknown) => warn(toReason(problem)));
    }
    throw error;
  }
}

/** For the holder of the lock only. The token exists, so a record that cannot be written is a warning. */
export async function rememberToken(
  journal: Journal,
  last: DeliveredToken,
  warn: (text: string) => void,
): Promise<void> {
  try {
    await journal.write({ ...journal.read(), last });
  } catch (error) {
    warn(toReason(error));
  }
}

/** The value of a write that happened, `false` if the write did not happen, undefined if that can't be known. */
export type Outcome<T> = { value: T } | false | undefined;

/** The outcome of a creation, by a reading of the new thing. */
export async function findCreated<T>(reading: Promise<T | undefined>): Promise<Outcome<T>> {
  const value = await reading;
  return value !== undefined && { value };
}

/** The outcome of a deletion, by a reading of the deleted thing. */
export async function findDeleted(reading: Promise<unknown>): Promise<Outcome<true>> {
  return (await reading) === undefined && { value: true };
}

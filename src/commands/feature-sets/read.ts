import type { ListReading } from '../../service/pages.ts';
import type { Resource } from '../../wire/json-api.ts';

export async function readFeatureSets(reading: ListReading): Promise<readonly Resource[]> {
  return (await reading.collect()).flatMap(({ items }) => items as readonly Resource[]);
}

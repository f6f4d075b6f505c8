import { listNames } from '../text/join.ts';
import type { Resource } from '../wire/json-api.ts';
import type { Call } from './client.ts';
import type { WireRequest } from './http.ts';
import { describeCallers, isPermitted, OPERATIONS, type Operation, type OperationName } from './operations.ts';

/** How long an answer is waited for. */
export type Patience = Pick<Call, 'maxRetries' | 'timeout'>;

/** Milliseconds. */
const LONGEST_GLANCE = 5_000;

/**
 * What the service says of the caller's permissions, before a change is sent. It is no promise: of some tokens the service
 * says less than it permits.
 */
export function createPermits(
  findOrganization: (name: string, patience?: Patience) => Promise<Resource | undefined>,
  timeout: number,
) {
  const readings = new Map<string, Promise<Resource | undefined>>();
  const find = (organization: string, patience?: Patience): Promise<Resource | undefined> => {
    const reading = readings.get(organization) ?? findOrganization(organization, patience);
    readings.set(organization, reading);
    return reading;
  };
  /** Where each is planned. */
  const planned = new Map<OperationName, Set<string>>();
  /** No one waits long for what only adds to a preview. */
  const glance: Patience = { maxRetries: 0, timeout: Math.min(timeout, LONGEST_GLANCE) };
  const isRefused = async (name: OperationName, organization: string): Promise<boolean> =>
    // What can't be read says nothing.
    (await find(organization, glance).then(
      (found) => isPermitted(name, found),
      () => undefined,
    )) === false;
  return {
    /** As the service shows it; undefined where it doesn't. */
    findOrganization: find,
    /** Whether the caller may do it there; undefined where the service does not say. Each organization is read once. */
    permits: async (name: OperationName, organization: string): Promise<boolean | undefined> =>
      isPermitted(name, await find(organization)),
    /** Remembers what a dry run keeps from leaving. */
    notePlanned({ operation, organization }: WireRequest): void {
      const name = operation as OperationName;
      if (organization === undefined || (OPERATIONS[name] as Operation).assumedRight === undefined) return;
      planned.set(name, (planned.get(name) ?? new Set()).add(organization));
    },
    /** A sentence for each kind of planned change that the service would probably refuse, and who can do it. Never throws. */
    async describeRefused(): Promise<readonly string[]> {
      const refused = new Map<string, { readonly callers: string; readonly places: Set<string> }>();
      for (const [name, organizations] of planned) {
        const operation: Operation = OPERATIONS[name];
        const { to = '' } = operation.assumedRight ?? {};
        const names = [...organizations];
        const answers = await Promise.all(names.map((organization) => isRefused(name, organization)));
        const { places } = refused.get(to) ?? { places: new Set() };
        for (const organization of names.filter((_, index) => answers[index])) places.add(organization);
        if (places.size > 0) refused.set(to, { callers: describeCallers(operation), places });
      }
      return [...refused].map(
        ([to, { callers, places }]) =>
          `you don't seem to have permission to ${to} ${listNames([...places])}: the service would probably refuse this. ${callers}`,
      );
    },
  };
}

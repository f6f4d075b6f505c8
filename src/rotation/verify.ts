import type { TokenFacts } from './journal.ts';
import type { Check, RotationWorld } from './types.ts';

export interface Verification {
  /** True when at least one check passed and none failed; null when none proved anything. */
  readonly verified: boolean | null;
  readonly checks: readonly Check[];
}

type World = Pick<RotationWorld, 'token' | 'verifyCommand'>;

/** Never throws. */
export async function verifyToken(secret: string, facts: TokenFacts, world: World): Promise<Verification> {
  const checks = await Promise.all([checkMetadata(facts, world), checkAuditTrail(secret, world)]);
  if (world.verifyCommand !== undefined) checks.push(await checkByCommand(secret, world.verifyCommand));
  return { verified: toVerdict(checks), checks };
}

function toVerdict(checks: readonly Check[]): boolean | null {
  if (checks.some(({ passed }) => passed === false)) return false;
  return checks.some(({ passed }) => passed === true) ? true : null;
}

async function checkMetadata(facts: TokenFacts, { token }: World): Promise<Check> {
  const current = await token.read().catch(() => ({ kind: 'unknown' }) as const);
  switch (current.kind) {
    // After a 201 a service that shows no token proves nothing: only another token does.
    case 'absent':
    case 'unknown':
      return { check: 'metadata', passed: null, detail: "the service doesn't show which token is current" };
    case 'found':
      return describeFound(current.facts, facts);
  }
}

export function describeFound(shown: TokenFacts, made: TokenFacts): Check {
  const passed = shown.id === made.id;
  return { check: 'metadata', passed, detail: `the current token is ${passed ? 'the new one' : shown.id}` };
}

export async function checkAuditTrail(secret: string, { token }: Pick<World, 'token'>): Promise<Check> {
  switch (await token.tryOut(secret, true)) {
    case 'accepted':
      return { check: 'audit-trail', passed: true, detail: 'the new token reads the audit trail' };
    case 'refused':
      return { check: 'audit-trail', passed: false, detail: 'the service rejects the new token' };
    case 'unknown':
      return { check: 'audit-trail', passed: null, detail: "the audit trail has no events yet, or can't be read" };
  }
}

async function checkByCommand(secret: string, run: NonNullable<World['verifyCommand']>): Promise<Check> {
  const failure = await run(secret);
  return { check: 'command', passed: failure === undefined, detail: failure ?? 'exit code 0' };
}

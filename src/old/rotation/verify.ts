import type { CurrentToken } from './current-token.ts';
import type { TokenFacts } from './journal.ts';
import type { Check, Proof, RotationWorld } from './types.ts';

export interface Verification {
  /** True when at least one check passed and none failed; null when none proved anything. */
  readonly verified: boolean | null;
  readonly checks: readonly Check[];
}

type World = Pick<RotationWorld, 'token' | 'verifyCommand'>;

/** Never throws. `shown`: what the service showed of it just before it was delivered. */
export async function verifyToken(
  secret: string,
  facts: TokenFacts,
  shown: CurrentToken,
  world: World,
): Promise<Verification> {
  const checks = await Promise.all([checkMetadata(facts, shown, world), checkSecret(secret, facts.id, world)]);
  if (world.verifyCommand !== undefined) checks.push(await checkByCommand(secret, world.verifyCommand));
  // Of a token that stands beside others its secret has to answer: that the service lists it proves nothing of that.
  const proofs = world.token.beside === undefined ? checks : checks.filter(({ check }) => check !== 'metadata');
  return { verified: toVerdict(proofs), checks };
}

function toVerdict(checks: readonly Check[]): boolean | null {
  if (checks.some(({ passed }) => passed === false)) return false;
  return checks.some(({ passed }) => passed === true) ? true : null;
}

async function checkMetadata(facts: TokenFacts, shown: CurrentToken, { token }: World): Promise<Check> {
  const unknown = { kind: 'unknown' } as const;
  const current = token.beside === undefined ? await token.read().catch(() => unknown) : shown;
  switch (current.kind) {
    // After a 201 a service that shows no token proves nothing: only another token does.
    case 'absent':
    case 'unknown':
      return { check: 'metadata', passed: null, detail: "the service doesn't show which token is current" };
    case 'found':
      return token.beside === undefined
        ? describeFound(current.facts, facts)
        : { check: 'metadata', passed: true, detail: 'the service lists the new token' };
  }
}

export function describeFound(shown: TokenFacts, made: TokenFacts): Check {
  const passed = shown.id === made.id;
  return { check: 'metadata', passed, detail: `the current token is ${passed ? 'the new one' : shown.id}` };
}

const AUDIT_TRAIL: Proof = {
  check: 'audit-trail',
  accepted: 'the new token reads the audit trail',
  unknown: "the audit trail has no events yet, or can't be read",
};

export async function checkSecret(secret: string, id: string, { token }: Pick<World, 'token'>): Promise<Check> {
  const { check, accepted, unknown } = token.proof ?? AUDIT_TRAIL;
  switch (await token.tryOut(secret, true, id)) {
    case 'accepted':
      return { check, passed: true, detail: accepted };
    case 'refused':
      return { check, passed: false, detail: 'the service rejects the new token' };
    case 'unknown':
      return { check, passed: null, detail: unknown };
  }
}

async function checkByCommand(secret: string, run: NonNullable<World['verifyCommand']>): Promise<Check> {
  const failure = await run(secret);
  return { check: 'command', passed: failure === undefined, detail: failure ?? 'exit code 0' };
}

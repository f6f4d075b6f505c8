import { expect } from 'vitest';
import type { Ended, Environment } from '../support/shipped.ts';
import { expectUntraced, readResult, type Workshop } from './workshop.ts';

/** Parts of CI systems: enough of each to run the very lines of a recipe. */

export interface Step {
  readonly name: string;
  /** The program and its options; the script's file comes last. */
  readonly shell: readonly [string, ...string[]];
  readonly script: string;
  readonly env: Environment;
}

/** Runs the steps one after the other, until one fails; those named in `always` run all the same. */
export async function runSteps(workshop: Workshop, steps: readonly Step[], always: readonly string[] = []) {
  const ended: Ended[] = [];
  let failed: Ended | undefined;
  for (const [index, { name, shell, script, env }] of steps.entries()) {
    if (failed !== undefined && !always.includes(name)) continue;
    const [command, ...options] = shell;
    const file = workshop.write(`step-${index}.sh`, script);
    const end = await workshop.run(command, [...options, file], { ...workshop.env, ...env });
    ended.push(end);
    if (end.code !== 0) failed ??= end;
  }
  const stdout = ended.map((each) => each.stdout).join('');
  const stderr = ended.map((each) => each.stderr).join('');
  return { code: failed?.code ?? 0, stdout, stderr };
}

/** Throws for a name that has no value, as for a secret that nobody made. */
export function fillIn(text: string, pattern: RegExp, values: Readonly<Record<string, string>>): string {
  return text.replace(pattern, (_whole, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`nothing is known of ${name}`);
    return value;
  });
}

/** What a place holds is a token, with nothing around it, and the one in force. */
export function expectDelivered(workshop: Workshop, secret: string | undefined): Promise<void> {
  expect(secret).toMatch(/^sandbox\.\S+$/);
  return expect(workshop.isInForce(secret ?? '')).resolves.toBe(true);
}

/** A job stores the token in force, shows it to nobody, and leaves it alone while there is time. */
export async function expectRotation(
  workshop: Workshop,
  readStored: () => string | undefined,
  files: readonly string[],
  job: (run: 'first' | 'second') => Promise<Ended>,
): Promise<void> {
  const first = await job('first');
  expect(first.code, first.stderr).toBe(0);
  const secret = readStored() ?? '';
  await expectDelivered(workshop, secret);
  expect(readResult(first)).toEqual({ id: await workshop.readTokenId(), changed: true });

  const second = await job('second');
  expect(second.code, second.stderr).toBe(0);
  expect(readResult(second).changed).toBe(false);
  expect([workshop.countPosts(), readStored()]).toEqual([1, secret]);
  expectUntraced(workshop, secret, [first, second], files);
}

import { execSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { OrgctlError } from '../../../../src/old/errors.ts';
import { parseSinks } from '../../../../src/old/rotation/sinks/parse.ts';
import { createSurroundings } from './surroundings.ts';

/**
 * Runs one sink in a process of its own, which can be another user's, or stand in other mounts:
 * `node driver.mjs <sink> <folder>`, the secret on stdin. Prints what became of each step as a line of JSON. The text of
 * AFTER_PREPARE is run by a shell between two of them.
 */

const [, , name = '', folder = '.'] = process.argv;
const secret = readFileSync(0, 'utf8');
const say = (step: string, found: object): void => console.log(JSON.stringify({ step, ...found }));
const toOutcome = (error: unknown): object =>
  error instanceof OrgctlError
    ? { error: error.exit, message: error.message, reasons: error.reasons }
    : { error: String(error) };

const attempt = async <T>(step: string, act: () => Promise<T>): Promise<T | undefined> => {
  try {
    const result = await act();
    say(step, { files: readdirSync(folder).sort() });
    return result;
  } catch (error) {
    say(step, { ...toOutcome(error), files: readdirSync(folder).sort() });
    return undefined;
  }
};

const [sink] = parseSinks([name], createSurroundings({ env: process.env, cwd: process.cwd() }));
if (sink === undefined) throw new Error('no sink');
await attempt('check', () => sink.check());
const prepared = await attempt('prepare', () => sink.prepare('u'));
if (prepared !== undefined) {
  execSync(process.env['AFTER_PREPARE'] ?? 'true');
  await attempt('deliver', () => prepared.deliver(secret));
  await attempt('discard', () => prepared.discard());
}

import { OrgctlError, UsageError } from '../errors.ts';
import { createSecrets } from '../secrets/secrets.ts';
import { parseToken } from '../secrets/token.ts';
import type { Surroundings } from '../subprocess/find-command.ts';
import { findCommand } from '../subprocess/find-command.ts';
import { READ_LIMITS, type ReadLimits, readCommand } from '../subprocess/read-command.ts';
import { splitWords } from '../subprocess/split-words.ts';

/** What a failed command said last, at most. */
const MOST_LINES = 3;

/** The token that a command prints. Throws `not-authenticated`, naming `source`, and the signal's reason. */
export async function runTokenCommand(
  command: string,
  source: string,
  surroundings: Surroundings & { readonly signal: AbortSignal },
  limits: ReadLimits = READ_LIMITS,
): Promise<string> {
  const words = splitWords(command, source, surroundings.platform);
  const fail = (why: string, reasons: readonly string[], hint: string): OrgctlError =>
    new OrgctlError('not-authenticated', `${source} failed: ${why}`, { code: 'token-command', reasons, hint });
  const path = await findCommand(words[0], source, surroundings).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
    throw fail(error.message.slice(`${source}: `.length), [], error.hint ?? '');
  });
  const { failure, stdout, stderr } = await readCommand({ path, words }, surroundings, limits);
  const said = describeOutput(stdout, stderr);
  if (failure !== undefined) throw fail(`${words[0]}: ${failure}`, said, 'Run the command by itself to see why.');
  if (stdout.trim() === '') throw fail(`${words[0]} printed nothing`, said, 'It must print the token, alone.');
  try {
    return parseToken(stdout, `what ${words[0]} printed`);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw fail(error.message, said, 'It must print the token, alone on one line.');
  }
}

/** The last lines of stderr, without what stdout had: part of it may be a token. */
function describeOutput(stdout: string, stderr: string): readonly string[] {
  const secrets = createSecrets();
  secrets.hide(...stdout.split(/\s+/));
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(-MOST_LINES).map((line) => secrets.redactText(line.trim()));
}

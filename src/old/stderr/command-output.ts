import type { Secrets } from '../secrets/secrets.ts';
import { toPlainJson, toPlainText } from '../text/plain-text.ts';
import type { Stderr } from './stream.ts';

/** Shows what commands print that orgctl runs. In `json` each line is an object, as is all else on stderr. */
export function createCommandOutput(stderr: Stderr, secrets: Secrets, json: boolean) {
  return {
    /** Takes this secret, and every other one that is known, out of what a command prints. */
    createRedactor(secret: string) {
      secrets.hide(secret);
      return secrets.createRedactor();
    },
    toPlainLine: toPlainText,
    /** As it is: for what a CI system reads there, which may be the secret. */
    writeStderr: stderr.write,
    /** Whole lines, without secrets. Resolves when stderr has taken them. */
    showCommandOutput: (text: string) => stderr.write(json ? toObjects(text) : text),
  };
}

function toObjects(text: string): string {
  const lines = text.replace(/\n$/, '').split('\n');
  return lines.map((message) => `${toPlainJson(JSON.stringify({ output: { message } }))}\n`).join('');
}

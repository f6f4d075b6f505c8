import { readCommandTree } from './command-tree.ts';
import { findExamples } from './examples.ts';
import { run } from './run.ts';

export interface Help {
  /** What calls the command, without `orgctl`. */
  readonly words: string;
  readonly text: string;
  readonly examples: readonly string[];
}

/** Of orgctl itself, then of every noun and every verb. */
export async function readHelps(home?: string): Promise<readonly Help[]> {
  const { nouns, verbs } = await readCommandTree();
  const helps: Help[] = [];
  for (const words of ['', ...nouns, ...verbs]) {
    const argv = words === '' ? [] : words.split(' ');
    const { code, stdout, stderr } = await run([...argv, '--help'], home === undefined ? {} : { home });
    if (code !== 0 || stderr !== '') throw new Error(`orgctl ${words} --help ended with ${code}: ${stderr}`);
    helps.push({ words, text: stdout, examples: findExamples(stdout) });
  }
  return helps;
}

import { readCommandTree } from './command-tree.ts';
import { run } from './run.ts';

export interface Help {
  /** What calls the command, without `orgctl`. */
  words: string;
  text: string;
  /** Whole lines. */
  examples: string[];
}

/** Of every noun and every verb. */
export async function readHelps(): Promise<Help[]> {
  const { nouns, verbs } = await readCommandTree();
  const helps: Help[] = [];
  for (const words of [...nouns, ...verbs]) {
    const { code, stdout, stderr } = await run([...words.split(' '), '--help']);
    if (code !== 0 || stderr !== '') throw new Error(`orgctl ${words} --help ended with ${code}: ${stderr}`);
    const [, section = ''] = /\nExamples:?\n((?: {2}.*\n)+)/.exec(stdout) ?? [];
    const examples = section.split('\n').flatMap((line) => line.trim().replace(/^\$ /, '') || []);
    helps.push({ words, text: stdout, examples });
  }
  return helps;
}

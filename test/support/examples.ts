/** The examples in a help, as lines. Those of the whole program have a word beside them. */
export function findExamples(text: string): readonly string[] {
  const [, section = ''] = /\n(?:Start|Examples)\n((?: {2}.*\n)+)/.exec(text) ?? [];
  return section
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.trim().replace(/ {3}.*/, ''));
}

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take seven seconds or more, longest first: begun last, one of them would run alone at the end. */
const LONGEST = [
  'e2e/rotation-kill',
  'e2e/examples',
  'commands/explain',
  'commands/secrets',
  'e2e/completion',
  'e2e/follow',
  'e2e/proxy',
  'e2e/pipes',
  'e2e/purity',
  'fuzz/fuzz',
];

/** Those first, then as vitest has it: what failed, what took long, what is large. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const found = LONGEST.findIndex((name) => moduleId.includes(`/test/${name}.`));
      return found < 0 ? LONGEST.length : found;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

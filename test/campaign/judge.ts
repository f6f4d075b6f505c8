import type { Program } from './process.ts';

/** What campaigns find, and how it is said. */

export type Say = (text: string) => void;

/** What must not be in one trial, each thing once. `again`: what repeats the trial, behind `npm run bench:`. */
export function createJudge(again: string) {
  const found = new Set<string>();
  return {
    say: (text: string): void => void found.add(text),
    /** Says where each of them was. */
    sayOf:
      (where: string): Say =>
      (text) =>
        void found.add(`${where}: ${text}`),
    /** The last one says how to repeat them. */
    faults: (): readonly string[] =>
      [...found].map((text, index) => (index < found.size - 1 ? text : `${text}\n  npm run bench:${again}`)),
  };
}

/** A campaign as a command: `npm run bench:<its name>`. */
export interface Campaign<Name extends string> {
  readonly about: string;
  /** Numbers, beside the seed that it begins with. */
  readonly options: Readonly<Record<Name, { readonly about: string; readonly default: string }>>;
  /** What it does, by the words that ask for it; all of it without one. */
  readonly parts: Readonly<Record<string, (bench: Bench<Name>) => Promise<void>>>;
}

export interface Bench<Name extends string = never> {
  readonly program: Program;
  readonly values: Readonly<Record<Name | 'seed', number>>;
  /** Counts them, and says each. */
  tell(faults: readonly string[]): void;
  /** Says it with the time so far. */
  readonly say: Say;
}

export function defineCampaign<Name extends string>(campaign: Campaign<Name>): Campaign<Name> {
  return campaign;
}

import type { CommandName } from './about.ts';

/** What a verb asks before it acts, and what a script has to say in place of an answer. */
interface Confirmation {
  readonly verbs: readonly CommandName[];
  /** Completes `Asks first`. Left out where the verb asks whenever there is something to do. */
  readonly when?: string;
  /** Its blanks are filled in by the verb. */
  readonly question: string;
  /** What stands for the answer where no one can be asked; left out where that is `--yes`. */
  readonly elsewhere?: keyof typeof ELSEWHERE;
  /** Whether a dry run says what would be lost. Of others it says what would be done. */
  readonly isPreviewed?: true;
}

const ELSEWHERE = {
  nothing: ', at a terminal only',
} as const;

/** The one table of what is asked. Behaviour, help and manual are made from it. */
export const CONFIRMATIONS = {
  generate: { verbs: ['audit-token generate'], question: '{replace} {token}?' },
  rotate: {
    verbs: ['audit-token rotate', 'tokens rotate'],
    when: 'for one organization',
    question: '{replace} {token}?',
    elsewhere: 'nothing',
  },
  'rotate several': {
    verbs: ['audit-token rotate', 'tokens rotate'],
    when: 'for several organizations',
    question: 'Replace the {tokens} of {place}?',
  },
  'delete audit token': { verbs: ['audit-token delete'], question: 'Delete {token}?', isPreviewed: true },
  'delete tokens': { verbs: ['tokens delete'], question: 'Delete {tokens}?', isPreviewed: true },
  'remove members': { verbs: ['members remove'], question: 'Remove {people} from {place}?' },
  resend: { verbs: ['members resend'], question: '{invite} {people} to {place} again?' },
  'make owners': {
    verbs: ['members invite', 'teams add'],
    when: 'before someone becomes an owner',
    question: 'Make {owners} of {place}?',
  },
  'apply roster': { verbs: ['members apply'], question: 'Apply {changes} to {place}?' },
  'leave team': { verbs: ['teams remove'], question: 'Remove {people} from {team}{place}?' },
  'move people': { verbs: ['teams add'], when: 'with --from', question: 'Move {people} from {team} to {into}{place}?' },
  'delete providers': { verbs: ['providers delete'], question: 'Delete {providers} from {place}?', isPreviewed: true },
  send: {
    verbs: ['api'],
    when: 'with any method but GET',
    question: 'Send {method} {path} to {service}?',
    isPreviewed: true,
  },
  reset: { verbs: ['sandbox reset'], question: 'Reset the sandbox in {path}?' },
} as const satisfies Readonly<Record<string, Confirmation>>;

export type ConfirmationName = keyof typeof CONFIRMATIONS;

type Blanks<Text> = Text extends `${string}{${infer Blank}}${infer Rest}` ? Blank | Blanks<Rest> : never;
type Filled<Text> = { readonly [Blank in Blanks<Text>]: string };

/** What a verb says beside what fills the blanks. */
export interface AnyAsked {
  /** What it means, a line each; shown before the question. */
  readonly consequences?: readonly string[];
}

/** A question as a verb asks it. */
export type Asked<Name extends ConfirmationName> = Filled<(typeof CONFIRMATIONS)[Name]['question']> & AnyAsked;

/** Throws where it is none of the verb's, since help would not say it. */
export function findConfirmation(name: ConfirmationName, verb: CommandName | undefined): Confirmation {
  const found: Confirmation = CONFIRMATIONS[name];
  if (!found.verbs.some((one) => one === verb)) throw new Error(`${verb} has no question '${name}'`);
  return found;
}

export function listConfirmations(verb: CommandName): readonly Confirmation[] {
  return Object.values(CONFIRMATIONS).filter(({ verbs }) => verbs.some((one) => one === verb));
}

/** `Asks first with --from; in scripts, add --yes.` */
export function describeConfirmation({ when, elsewhere }: Confirmation): string {
  return `Asks first${when === undefined ? '' : ` ${when}`}${elsewhere === undefined ? '; in scripts, add --yes' : ELSEWHERE[elsewhere]}.`;
}

export function fillIn(text: string, blanks: object): string {
  return text.replace(/\{(\w+)\}/g, (_, blank: string) => `${Object(blanks)[blank]}`);
}

import type { Context } from '../context/context.ts';
import { orAbsence, ServiceError, UsageError } from '../errors.ts';
import { listFolder } from '../files/look.ts';
import { type TokenReference, toBaseDescription } from '../input/token-reference.ts';
import { toText } from '../json-object.ts';
import type { Directory } from '../people/directory.ts';
import { createJournal, type JournalState, type JournalToken } from '../rotation/journal.ts';
import type { Token } from '../wire/resources.ts';
import { requireTeam, toTeamId } from './find-token.ts';
import type { WhichToken } from './which-token.ts';

/** The token that a rotation is of, by how it is named. It need not be there: a rotation may have ended it and not its work. */
export async function findWhich(
  context: Context,
  directory: Directory,
  reference: TokenReference,
): Promise<WhichToken> {
  switch (reference.kind) {
    case 'team': {
      const team = await requireTeam(directory.findTeam, reference.team);
      if (reference.description === null) return { kind: 'team', team };
      return { kind: 'team', team, description: toBaseDescription(reference.description) };
    }
    case 'id': {
      const shown = await orAbsence(directory.service.tokens.show(reference));
      const known = shown instanceof ServiceError ? findKnown(context, reference.id) : undefined;
      if (shown instanceof ServiceError && known === undefined) throw shown;
      const { team, description } = shown instanceof ServiceError ? { ...known } : readFacts(shown.data);
      if (team === undefined || description === undefined) {
        throw new UsageError(`${reference.id} is no token with a description`, {
          hint: 'Name it by its place: audit-trail, organization, or team:<team>.',
        });
      }
      const base = toBaseDescription(description);
      return {
        kind: 'team',
        team: await requireTeam(directory.findTeam, `id:${team}`),
        description: base,
        id: reference.id,
      };
    }
    default:
      return reference;
  }
}

function readFacts(token: Token): Partial<JournalToken> {
  const [team, description] = [toTeamId(token), toText(token.attributes?.description)];
  return { ...(team === undefined ? {} : { team }), ...(description === undefined ? {} : { description }) };
}

/** What the journals of an organization say of a token that is gone: an unfinished rotation deleted it. */
function findKnown(context: Context, id: string): JournalState['token'] {
  return readJournals(context).find(({ last, retiring = [], open }) =>
    [last, open?.before, open?.minted, ...retiring].some((token) => token?.id === id),
  )?.token;
}

/** Of the organization's tokens that are no audit trail token. One that can't be read says nothing of the others. */
export function readJournals({ places }: Pick<Context, 'places'>): readonly JournalState[] {
  const folder = places.tokenStateDirectory('');
  let names: readonly { readonly name: string }[];
  try {
    names = listFolder(folder);
  } catch {
    return [];
  }
  return names.flatMap(({ name }) => {
    try {
      return createJournal(places.tokenStateDirectory(name), { unique: '', user: places.host.user }).read();
    } catch (error) {
      if (error instanceof UsageError) return [];
      throw error;
    }
  });
}

import type { Context } from '../context/context.ts';
import { OrgctlError, orAbsence, ServiceError, UsageError } from '../errors.ts';
import { toBaseDescription, toNewDescription } from '../input/token-reference.ts';
import { collect } from '../reading.ts';
import { type CurrentToken, toFacts, toShown, toTokenFacts } from '../rotation/current-token.ts';
import { type Journal, toWords } from '../rotation/journal.ts';
import type { Beside, NeighbourFacts } from '../rotation/types.ts';
import type { Service } from '../service/service.ts';
import type { TokenTeam } from '../service/tokens.ts';
import type { Token } from '../wire/resources.ts';
import { toTeamId } from './find-token.ts';

/** The tokens of a team that have a description, one of which a rotation is of. */
export function createBeside(
  { identity, screen, services, places }: Pick<Context, 'identity' | 'places' | 'screen' | 'services'>,
  service: Service,
  journal: Pick<Journal, 'read'>,
  { team, description, id: named }: { readonly team: TokenTeam; readonly description: string; readonly id?: string },
  self: Pick<Beside, 'isSelf' | 'ownFingerprint'>,
): Beside & { read(): Promise<CurrentToken> } {
  const organization = identity.organization();
  let isWarned = false;
  let listed: readonly NeighbourFacts[] | undefined;
  const readTeam = async (): Promise<readonly NeighbourFacts[]> => {
    listed = (await listTeamTokens(service, organization, team.id)).map(toNeighbour);
    return listed;
  };
  const look: Beside['look'] = async (id, isListed = false) =>
    ((isListed ? listed : undefined) ?? (await readTeam())).find((each) => each.id === id);
  const list = async (): Promise<readonly NeighbourFacts[]> =>
    (await readTeam()).filter((each) => toBaseDescription(each.description ?? '') === description);
  return {
    describe() {
      const digits = Buffer.from(places.host.randomBytes(8)).toString('hex');
      return toNewDescription(description, places.host.now(), digits);
    },
    find: async (whole) => (await readTeam()).find((each) => each.description === whole),
    look,
    list,
    ...self,
    async remove(id, asSecret) {
      const asker = asSecret === undefined ? service : await services.as(asSecret);
      try {
        await asker.tokens.delete({ kind: 'id', id }, id);
      } catch (error) {
        // Absent and not permitted look the same: what is still listed was not deleted.
        if (!(error instanceof ServiceError) || error.status !== 404 || (await look(id)) !== undefined) throw error;
      }
    },
    /** The one that is to be replaced: of several the one that was named, else the one that the journal knows. */
    async read() {
      const { open, last, retiring = [] } = journal.read();
      const isLeftOver = ({ id, description: whole }: NeighbourFacts): boolean =>
        retiring.some((each) => each.id === id) || id === open?.minted?.id || whole === open?.description;
      const found = (await list()).filter((each) => !isLeftOver(each));
      const [only] = found;
      const chosen =
        [named, last?.id, open?.before?.id].flatMap((known) => found.find(({ id }) => id === known) ?? [])[0] ??
        (found.length > 1 ? undefined : only);
      const others = found.filter((each) => each !== chosen);
      if (chosen !== undefined) {
        if (others.length > 0 && !isWarned) {
          screen.warn(
            `team ${team.name} has other tokens with this description, which stay: ${others.map(toWords).join(', ')}`,
          );
          isWarned = true;
        }
        return toShown(toFacts(chosen));
      }
      if (only === undefined) return { kind: 'absent' };
      throw new UsageError(`${found.length} tokens of team ${team.name} in ${organization} have this description`, {
        reasons: found.map(toWords),
        hint: 'Name one by its id, or delete the others.',
      });
    },
  };
}

/** Without the list nothing shows which token is the old one, and what became of a request without an answer. */
function toUnlisted(organization: string, error: ServiceError): OrgctlError {
  const message = `can't list the tokens of the teams of ${organization}, and the rotation of one with a description needs that list`;
  return new OrgctlError(error.exit, message, {
    reasons: error.meanings,
    hint: "Ask with the organization token, or with one of an owner or of a team that has Manage Teams: one without that right can't replace itself.",
    cause: error,
  });
}

async function listTeamTokens({ tokens }: Service, organization: string, team: string): Promise<readonly Token[]> {
  const isWanted = (token: Token): boolean =>
    toTeamId(token) === team && typeof token.attributes?.description === 'string';
  const pages = await orAbsence(collect(tokens.listOfTeams(organization), ({ items }) => items.filter(isWanted)));
  if (pages instanceof ServiceError) throw toUnlisted(organization, pages);
  return pages.flat();
}

function toNeighbour(data: Token): NeighbourFacts {
  return { ...toTokenFacts({ data }), isUsed: typeof data.attributes?.['last-used-at'] === 'string' };
}

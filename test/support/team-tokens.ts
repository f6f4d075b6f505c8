import type { TestService } from './service.ts';

export async function findTeam(service: TestService, name: string): Promise<string> {
  const { body } = await service.ask('GET', `/organizations/acme/teams?filter%5Bnames%5D=${name}`);
  return (body as { data: [{ id: string }] }).data[0].id;
}

/** A token of a team beside the others; its id and secret. */
export async function addTeamToken(service: TestService, team: string, description: string) {
  const made = await service.ask('POST', `/teams/${await findTeam(service, team)}/authentication-tokens`, 'owner', {
    data: { type: 'authentication-tokens', attributes: { description } },
  });
  const { data } = made.body as { data: { id: string; attributes: { token: string } } };
  return { id: data.id, secret: data.attributes.token };
}

/** The tokens of teams that have a description: each with its id. */
export async function listDescribed(service: TestService): Promise<Record<string, string>> {
  const { body } = await service.ask('GET', '/organizations/acme/team-tokens?page%5Bsize%5D=100');
  const { data } = body as { data: { id: string; attributes: { description: string | null } }[] };
  return Object.fromEntries(
    data.flatMap(({ id, attributes: { description } }) => (description === null ? [] : [[description, id]])),
  );
}

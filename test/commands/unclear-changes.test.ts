import { expect, test } from 'vitest';
import { startService } from '../support/service.ts';

type Attributes = Record<string, unknown>;
type Service = NonNullable<Parameters<typeof startService>[0]>;

/** Answers to this method and path show other attributes of a team. */
const showing = (method: string, path: RegExp, change: (shown: Attributes) => object | null): Service => ({
  async alter(answer, request) {
    if (request.method !== method || !path.test(request.url) || !answer.ok) return answer;
    const { data } = (await answer.json()) as { data: { attributes: Attributes } };
    return Response.json({ data: { ...data, attributes: change(data.attributes) } });
  },
});
const answering = (method: string, body: string): Service => ({
  alter: (answer, request) => (request.method === method ? new Response(body) : answer),
});
const without =
  (name: string) =>
  ({ [name]: _, ...shown }: Attributes) =>
    shown;
const granting = (access: Attributes) => (shown: Attributes) => ({
  ...shown,
  'organization-access': { ...Object(shown['organization-access']), ...access },
});
const [NEW, ONE] = [/acme\/teams$/, /teams\/team-\w+$/];
const failing = (...faults: string[]): Service => ({ faults });
const isSecret = showing('GET', ONE, (shown) => ({ ...shown, visibility: 'secret' }));
/** The service makes the team, and refuses its access. */
const keepsRefused: Service = { like: 'enterprise' };

const CREATE = 'teams create new --visibility organization --access manage-membership';
const REFUSED = 'teams create new --access manage-teams';
const NONE = 'teams create new --access none';
const UPDATE = 'teams update audit --visibility organization --name auditors';
const GRANT = 'teams update audit --access manage-membership --yes';
const [DELETE, ASKED] = ['teams delete audit --yes', 'teams delete audit'];
const [ADD, REMOVE] = ['teams add security ada-auditor', 'teams remove audit ada-auditor --yes'];
const CHANGE = 'organizations update session-timeout=60 session-remember=9 --yes';
const IGNORED = '* organizations/acme: with=session-timeout:null';

const [MADE, DONE] = ['13,created,true,attention', '13,updated,true,attention'];
const [NOT_DONE, UNKNOWN] = ['9,failed,false,unavailable', '11,unknown,false,outcome-unknown'];

test.each<[command: string, what: string, service: Service, ends: string, says?: string]>([
  [REFUSED, 'refused and made', keepsRefused, MADE, 'needs manage-membership'],
  [REFUSED, 'refused', {}, '7,failed,false,rejected', 'needs manage-membership'],
  [REFUSED, 'refused, and no look', { ...keepsRefused, ...failing('GET acme/teams: nth=2 404') }, UNKNOWN],
  [CREATE, 'cut off', failing('POST teams: reset-after-commit'), '0,created,true,'],
  [CREATE, 'cut off, and no look', failing('POST teams: reset-after-commit', 'GET acme/teams: nth=2 404'), UNKNOWN],
  [CREATE, 'not made', failing('POST teams: 503'), NOT_DONE, 'This did not happen: create team new in acme.'],
  [CREATE, 'no route', failing('POST teams: 404'), '5,failed,false,not-found'],
  [CREATE, 'a login page', answering('POST', '<html>'), '0,created,true,'],
  [CREATE, 'an empty answer', answering('POST', ''), MADE, 'visibility is unknown'],
  [CREATE, 'null attributes', showing('POST', NEW, () => null), MADE, 'visibility is unknown'],
  [CREATE, 'no visibility', showing('POST', NEW, without('visibility')), MADE, 'visibility is unknown'],
  [CREATE, 'not granted', showing('POST', NEW, granting({ 'manage-membership': false })), MADE, 'membership is no'],
  [CREATE, 'implied', showing('POST', NEW, granting({ 'manage-modules': true })), '0,created,true,'],
  [NONE, 'granted', showing('POST', NEW, granting({ 'manage-modules': true })), MADE, 'manage-modules is yes'],
  [NONE, 'not shown', showing('POST', NEW, without('organization-access')), MADE, 'organization-access is unknown'],
  [UPDATE, 'cut off', failing('PATCH teams: reset-after-commit'), '0,updated,true,'],
  [UPDATE, 'not done', failing('PATCH teams: 503'), NOT_DONE, 'This did not happen: change team audit.'],
  [UPDATE, 'cut off, and no look', failing('PATCH teams: reset-after-commit', 'GET /teams/team-: nth=2 403'), UNKNOWN],
  [UPDATE, 'cut off and done in part', { ...isSecret, ...failing('PATCH teams: reset-after-commit') }, UNKNOWN],
  [UPDATE, 'not read again', failing('GET /teams/team-: nth=2 401'), DONE, 'reading it again failed'],
  [UPDATE, 'ignored', isSecret, DONE, 'visibility is secret'],
  [GRANT, 'ignored', showing('GET', ONE, granting({ 'manage-membership': false })), DONE, 'manage-membership is no'],
  [GRANT, 'not shown', showing('GET', ONE, without('organization-access')), '2,', "it isn't shown"],
  [GRANT, 'unreadable', failing('GET /teams/team-: 404'), '2,', "it can't be read"],
  [DELETE, 'cut off', failing('DELETE teams: reset-after-commit'), '0,deleted,true,'],
  [DELETE, 'cut off, and no look', failing('DELETE teams: reset-after-commit', 'GET acme/teams: nth=2 403'), UNKNOWN],
  [DELETE, 'not done', failing('DELETE teams: 503'), NOT_DONE, 'This did not happen: delete team audit.'],
  [DELETE, 'not found, and listed', failing('DELETE teams: 404'), '5,failed,false,not-found'],
  [DELETE, 'unreadable', failing('GET /teams/team-: 403'), '2,', "audit of acme can't be deleted: it can't be read"],
  [ADD, 'cut off', failing('POST relationships: reset-after-commit'), '0,added,true,'],
  [ADD, 'not done', failing('POST relationships: 503'), NOT_DONE, 'This did not happen: add ada.auditor@example.com'],
  [ADD, 'cut off, and no look', failing('POST relationships: reset-after-commit', 'GET /teams/team-: 500'), UNKNOWN],
  [REMOVE, 'cut off', failing('DELETE relationships: reset-after-commit'), '0,removed,true,'],
  [CHANGE, 'cut off', failing('PATCH acme: reset-after-commit'), '0,updated,true,'],
  [CHANGE, 'not done', failing('PATCH acme: 503'), NOT_DONE, 'This did not happen: change organization acme.'],
  [CHANGE, 'cut off, and no look', failing('PATCH acme: reset-after-commit', 'GET zations/acme: nth=2 404'), UNKNOWN],
  [CHANGE, 'cut off and done in part', failing('PATCH acme: reset-after-commit', IGNORED), UNKNOWN],
  [CHANGE, 'not read again', failing('GET zations/acme: nth=2 html=503'), DONE, 'reading it again failed'],
  [ASKED, 'no tokens shown', failing('GET team-tokens: 404'), '2,', '(2 members, tokens unknown) from acme?'],
  [ASKED, 'no members shown', showing('GET', ONE, without('users-count')), '2,', '(members unknown, 0 tokens)'],
])('%s, %s: one write at most, and the exit says what is known', async (command, _what, service, ends, says = '') => {
  const { run, requests } = await startService(service);
  const { code, stdout, stderr } = await run(
    `${command} --max-retries 0 -o csv --fields result,changed,error.code`.split(' '),
  );
  expect(`${code},${stdout.split('\n')[1] ?? ''}`).toBe(ends);
  expect(stderr).toContain(says);
  expect(requests.filter(({ method }) => method !== 'GET').length).toBeLessThanOrEqual(1);
});

test('a team that is gone by the time it is deleted is unchanged', async () => {
  let isGone = false;
  const service = await startService({
    async alter(answer, { method, url }) {
      if (method === 'GET' && url.includes('team-tokens') && !isGone) {
        isGone = true;
        const teams = await service.ask('GET', '/organizations/acme/teams?q=audit');
        const [team] = (teams.body as { data: { id: string }[] }).data;
        await service.ask('DELETE', `/teams/${team?.id}`);
      }
      return answer;
    },
  });
  const { code, stdout } = await service.run(`${DELETE} --fields result,changed`.split(' '));
  expect([code, stdout]).toEqual([0, 'unchanged\tfalse\n']);
});

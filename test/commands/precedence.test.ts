import { describe, expect, test } from 'vitest';
import { run } from '../support/run.ts';
import { createHomeOf, type Stored } from '../support/stored.ts';

/** One place a value can come from: what to set there, and what `settings list` then says. */
interface Source {
  /** As `settings list` names it. */
  readonly name: string;
  readonly value: unknown;
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Of `config.json`, outside the profiles. */
  readonly config?: object;
  /** Of the profile `work`. */
  readonly profile?: object;
  readonly credentials?: object;
  readonly terraform?: object;
}

/** Everything of the ranks from this one down is set; `profile` is how the profile `work` is named, if it is. */
type Naming = 'no profile' | '--profile' | 'ORGCTL_PROFILE';

const HOST = 'a.example';
const ORIGIN = `https://${HOST}`;
const BASE_URL: readonly Source[] = [
  { name: 'ORGCTL_BASE_URL', value: 'https://own/v', env: { ORGCTL_BASE_URL: 'https://own/v' } },
  { name: 'TFE_ADDRESS', value: 'https://address/api/v2', env: { TFE_ADDRESS: 'https://address' } },
  { name: 'TFE_HOSTNAME', value: 'https://hostname/api/v2', env: { TFE_HOSTNAME: 'hostname' } },
  { name: 'TF_CLOUD_HOSTNAME', value: 'https://cloud/api/v2', env: { TF_CLOUD_HOSTNAME: 'cloud' } },
];
const ORG: readonly Source[] = ['ORGCTL_ORG', 'TFE_ORGANIZATION', 'TF_CLOUD_ORGANIZATION'].map((name) => ({
  name,
  value: `of-${name}`,
  env: { [name]: `of-${name}` },
}));
const TOKEN: readonly Source[] = ['ORGCTL_TOKEN', 'TF_TOKEN_a_example', 'TFE_TOKEN'].map((name) => ({
  name,
  value: '(set)',
  env: { [name]: `of-${name}` },
}));

const WORK: Readonly<Record<string, Source>> = {
  'base-url': { name: 'profile work', value: 'https://work', profile: { 'base-url': 'https://work' } },
  org: { name: 'profile work', value: 'of-work', profile: { org: 'of-work' } },
  token: {
    name: 'profile work',
    value: '(set)',
    credentials: { profiles: { work: { origin: ORIGIN, token: 'of-work' } } },
  },
};
const DEFAULT: Readonly<Record<string, Source>> = {
  'base-url': { name: 'config.json', value: 'https://default', config: { 'base-url': 'https://default' } },
  org: { name: 'config.json', value: 'of-default', config: { org: 'of-default' } },
  token: {
    name: 'credentials.json',
    value: '(set)',
    credentials: { credentials: { [ORIGIN]: { token: 'of-default' } } },
  },
};
const FIRST: Readonly<Record<string, readonly Source[]>> = {
  'base-url': [{ name: '--base-url', value: 'https://option/api', argv: ['--base-url', 'https://option/api'] }],
  org: [{ name: '--org', value: 'of-option', argv: ['--org', 'of-option'] }],
  // No option takes a token.
  token: [],
};
const VARIABLES: Readonly<Record<string, readonly Source[]>> = { 'base-url': BASE_URL, org: ORG, token: TOKEN };
const LAST: Readonly<Record<string, readonly Source[]>> = {
  'base-url': [{ name: 'built-in default', value: 'https://app.terraform.io/api/v2' }],
  org: [{ name: 'not set', value: null }],
  token: [
    {
      name: '<home>/.terraform.d/credentials.tfrc.json',
      value: '(set)',
      terraform: { credentials: { [HOST]: { token: 'of-terraform' } } },
    },
    { name: 'not set', value: null },
  ],
};

/** The ranks of a value, highest first. */
function toRanks(setting: string, naming: Naming): readonly Source[] {
  const [first, variables, last] = [FIRST, VARIABLES, LAST].map((ranks) => ranks[setting] ?? []) as [
    readonly Source[],
    readonly Source[],
    readonly Source[],
  ];
  const of = (sources: Readonly<Record<string, Source>>) => [sources[setting] as Source];
  if (naming === 'no profile') return [...first, ...variables, ...of(DEFAULT), ...last];
  return naming === '--profile'
    ? [...first, ...of(WORK), ...variables, ...last]
    : [...first, ...variables, ...of(WORK), ...last];
}

const NAMINGS: readonly Naming[] = ['no profile', '--profile', 'ORGCTL_PROFILE'];
const ROWS = ['base-url', 'org', 'token'].flatMap((setting) =>
  NAMINGS.flatMap((naming) => {
    const ranks = toRanks(setting, naming);
    return ranks.map((winner, index) => ({ setting, naming, winner, lower: ranks.slice(index + 1) }));
  }),
);

describe('a value comes from the highest rank that has one', () => {
  test.each(ROWS.map((row) => ({ ...row, from: row.winner.name })))(
    '$setting with $naming: $from',
    async ({ setting, naming, winner, lower }) => {
      const expected = { name: setting, value: winner.value, source: winner.name };
      expect(await look(setting, naming, [winner])).toEqual(expected);
      const [next] = lower;
      if (next !== undefined) expect(await look(setting, naming, [winner, next])).toEqual(expected);
      expect(await look(setting, naming, [winner, ...lower])).toEqual(expected);
    },
  );

  test.each(ROWS.filter(({ winner }) => winner.env !== undefined))(
    '$setting with $naming: an empty $winner.name counts as unset',
    async ({ setting, naming, winner, lower }) => {
      const [next] = lower;
      const empty = Object.fromEntries(Object.keys(winner.env ?? {}).map((name) => [name, '']));
      expect(await look(setting, naming, [{ ...winner, env: empty }, ...lower])).toMatchObject({ source: next?.name });
    },
  );
});

describe('which profile is named', () => {
  test('--profile comes before ORGCTL_PROFILE', async () => {
    const config = { profiles: { work: { org: 'of-work' }, other: { org: 'of-other' } } };
    const list = await listSettings(['--profile', 'work'], { ORGCTL_PROFILE: 'other' }, { config });
    expect(list.get('org')).toMatchObject({ value: 'of-work', source: 'profile work' });
    expect(list.get('profile')).toEqual({ name: 'profile', value: 'work', source: '--profile' });
  });

  test('an empty ORGCTL_PROFILE names none', async () => {
    const list = await listSettings([], { ORGCTL_PROFILE: '' }, { config: { org: 'of-default' } });
    expect(list.get('org')).toMatchObject({ value: 'of-default' });
    expect(list.get('profile')).toEqual({ name: 'profile', value: null, source: 'not set' });
  });
});

interface Row {
  readonly name: string;
  readonly value: unknown;
  readonly source: string;
}

/** What `settings list` says of a value where these sources have one. */
async function look(setting: string, naming: Naming, sources: readonly Source[]): Promise<Row | undefined> {
  const merge = (pick: (source: Source) => object | undefined): Record<string, unknown> =>
    Object.assign({}, ...sources.map((source) => pick(source) ?? {})) as Record<string, unknown>;
  const isToken = setting === 'token';
  const profile = { expires: '90d', ...merge((source) => source.profile) };
  const config = { ...merge((source) => source.config), profiles: { work: profile } };
  const terraform = merge((source) => source.terraform);
  const argv = sources.flatMap((source) => source.argv ?? []);
  const list = await listSettings(
    // The token is looked for where it belongs.
    [...argv, ...(isToken ? ['--host', HOST] : []), ...(naming === '--profile' ? ['--profile', 'work'] : [])],
    {
      ...(merge((source) => source.env) as Record<string, string>),
      ...(naming === 'ORGCTL_PROFILE' ? { ORGCTL_PROFILE: 'work' } : {}),
    },
    {
      config,
      credentials: merge((source) => source.credentials),
      ...(Object.keys(terraform).length === 0 ? {} : { terraform }),
    },
  );
  return list.get(setting);
}

async function listSettings(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  stored: Stored,
): Promise<ReadonlyMap<string, Row>> {
  const home = createHomeOf(stored);
  const { code, stdout, stderr } = await run(['settings', 'list', ...argv, '-o', 'json'], { env, home });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const rows = (JSON.parse(stdout) as Row[]).map((row) => ({ ...row, source: row.source.replace(home, '<home>') }));
  return new Map(rows.map((row) => [row.name, row]));
}

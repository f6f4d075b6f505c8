import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OrgctlError } from '../../src/errors.ts';
import { parseProviderList } from '../../src/provider-list/provider-list.ts';
import { renderProviderList } from '../../src/provider-list/provider-list-text.ts';
import { type ProviderAddress, toAddressText } from '../../src/resources/provider-address.ts';

const HOST = 'app.terraform.io';

/** `several`: which organizations there are is not known yet. */
const parse = (text: string, several = false) =>
  parseProviderList(text, 'p.yaml', { organization: () => (several ? undefined : 'acme'), serviceHost: HOST });

function refuse(text: string, several = false): readonly string[] {
  try {
    parse(text, several);
  } catch (error) {
    const { message, reasons } = error as OrgctlError;
    return [message, ...reasons];
  }
  return [];
}

const listOf = (text: string, organization: string): readonly string[] =>
  parse(text)
    .resolve(organization)
    .wanted.map(({ address }) => toAddressText(address));

describe('a list', () => {
  test.each([
    ['yaml', 'providers:\n  - hashicorp/aws\n  - private/billing\n'],
    ['one line', 'providers: [hashicorp/aws, private/billing]'],
    ['json', '{"providers": ["hashicorp/aws", "billing"]}'],
    ['json with tabs', '{\n\t"providers": [\n\t\t"hashicorp/aws",\n\t\t"acme/billing"\n\t]\n}\n'],
    ['a schema beside it', '$schema: x\nproviders: [public/hashicorp/aws, private/acme/billing]'],
  ])('is read: %s', (_, text) => {
    expect(parse(text).organizations).toBeUndefined();
    expect(listOf(text, 'acme')).toEqual(['public/hashicorp/aws', 'private/acme/billing']);
  });

  test('each provider counts once, whatever the case', () => {
    const { wanted, folded } = parse('providers: [hashicorp/aws, public/HashiCorp/AWS, ACME/x, private/x]').resolve(
      'acme',
    );
    expect({ texts: wanted.map(({ address }) => toAddressText(address)), folded }).toEqual({
      texts: ['public/hashicorp/aws', 'private/acme/x'],
      folded: 2,
    });
  });

  test('of several organizations: by name, each with its own', () => {
    const text =
      'organizations:\n  globex:\n    providers: &c [a/b, private/c]\n  Acme: {providers: *c}\n  initech: {providers: []}\n';
    expect(parse(text, true).organizations).toEqual(['Acme', 'globex', 'initech']);
    expect(listOf(text, 'Acme')).toEqual(['public/a/b', 'private/Acme/c']);
    expect(listOf(text, 'globex')).toEqual(['public/a/b', 'private/globex/c']);
    expect(listOf(text, 'initech')).toEqual([]);
  });
});

describe('what is wrong is said at once, with its lines', () => {
  test.each<[what: string, text: string, reasons: readonly string[]]>([
    ['nothing', ' \n', ['p.yaml is empty']],
    ['a list alone', '- hashicorp/aws', ['p.yaml is not a list of providers']],
    [
      'another key',
      'provider: [a/b]',
      ["p.yaml: 1 line can't be used", 'line 1: provider is not known here; providers is'],
    ],
    ['no key', '{}', ['p.yaml has no providers']],
    [
      'no value',
      'providers:\n',
      ["p.yaml: 1 line can't be used", 'line 1: providers is empty: write [] for no provider'],
    ],
    ['no list', 'providers: a/b', ["p.yaml: 1 line can't be used", 'line 1: providers is not a list']],
    [
      'entries',
      'providers:\n  - a/b\n  - 17\n  - a/b/c/d\n  - public/x\n  - private/globex/x\n  - {a: b}\nothers: []\n',
      [
        "p.yaml: 6 lines can't be used",
        'line 3: is not an address',
        "line 4: 'a/b/c/d' is not a provider address",
        "line 5: 'public/x' has no namespace, which a public provider needs",
        'line 6: the namespace of a private provider is its organization, and globex is not acme',
        'line 7: is not an address',
        'line 8: others is not known here; providers is',
      ],
    ],
    [
      'organizations',
      'organizations:\n  acme:\n    providers: [a/b/c/d]\n    other: 1\n  ACME: {providers: []}\n  globex: 5\n  "..": {providers:}\nproviders: []\n',
      [
        "p.yaml: 6 lines can't be used",
        "line 3: 'a/b/c/d' is not a provider address",
        'line 4: other is not known here; providers is',
        'line 5: ACME is there twice',
        'line 6: globex has no providers: write providers: [] for none',
        "line 7: '..' can't be the name of an organization",
        'line 7: providers is empty: write [] for no provider',
        'line 8: providers is not known here; organizations is',
      ],
    ],
    [
      'a list of organizations',
      'organizations: [acme]',
      ["p.yaml: 1 line can't be used", 'line 1: organizations is not a list of names, each with providers'],
    ],
    [
      'no YAML',
      'providers: [a/b\n',
      ['p.yaml is not YAML: line 2: Flow sequence in block collection must be sufficiently indented and end with a ]'],
    ],
  ])('%s', (_, text, reasons) => {
    expect(refuse(text)).toEqual(reasons);
  });

  test('of a list for several organizations, before they are known', () => {
    expect(refuse('providers: [private/globex/x, a/b/c/d]', true)).toEqual([
      "p.yaml: 1 line can't be used",
      "line 1: 'a/b/c/d' is not a provider address",
    ]);
    expect(() => parse('providers: [private/globex/x]', true).resolve('acme')).toThrow("p.yaml: 1 line can't be used");
  });
});

const anyName = fc.stringMatching(/^[a-z][a-z0-9-]{0,5}$/);
const anyAddress = (organization: string): fc.Arbitrary<ProviderAddress> =>
  fc.oneof(
    fc.record({
      registryName: fc.constant('public' as const),
      namespace: fc.oneof(anyName, fc.constantFrom('private', 'public', organization, 'true', 'null')),
      name: fc.oneof(anyName, fc.constantFrom('no', '1')),
    }),
    fc.record({ registryName: fc.constant('private' as const), namespace: fc.constant(organization), name: anyName }),
  );

test.each(['yaml', 'json'] as const)('what is written as %s reads back as the same', (kind) => {
  const anyLists = fc
    .uniqueArray(fc.constantFrom('acme', 'globex', 'on', '12', 'a:b'), { maxLength: 3 })
    .chain((names) =>
      fc.tuple(
        ...names.map((organization) =>
          fc.array(anyAddress(organization)).map((addresses) => ({ organization, addresses })),
        ),
      ),
    );
  fc.assert(
    fc.property(anyLists, (lists) => {
      const rendered = renderProviderList(
        lists.map(({ organization, addresses }) => ({
          organization,
          providers: addresses.map((address, index) => ({ id: `prov-${index}`, address })),
        })),
        { isSeveral: true, serviceHost: HOST, kind },
      );
      const list = parse(rendered, true);
      expect(list.organizations).toEqual(lists.map(({ organization }) => organization).sort());
      for (const { organization, addresses } of lists) {
        const texts = list.resolve(organization).wanted.map(({ address }) => toAddressText(address));
        expect([...texts].sort()).toEqual([...new Set(addresses.map(toAddressText))].sort());
      }
    }),
    { numRuns: 200 },
  );
});

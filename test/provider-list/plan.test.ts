import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ListedProvider, makePlan, type Plan, toListedProvider } from '../../src/provider-list/plan.ts';
import { type ProviderAddress, toAddressText } from '../../src/resources/provider-address.ts';

function toAddress(text: string): ProviderAddress {
  const [registryName, namespace = '', name = ''] = text.split('/');
  return { registryName: registryName === 'private' ? 'private' : 'public', namespace, name };
}

const toWanted = (text: string) => ({ address: toAddress(text), line: 1 });
const toListed = (text: string): ListedProvider => ({ id: `prov-${text}`, address: toAddress(text) });
const describeSteps = ({ steps }: Plan): readonly string[] =>
  steps.map(({ action, address }) => `${action} ${toAddressText(address)}`);

const NOTHING = { prune: false, prunePrivate: false };

test.each<[what: string, wanted: string[], listed: string[], rules: object, steps: string[], rest: object]>([
  ['is wanted and absent', ['public/a/b'], [], {}, ['create public/a/b'], {}],
  ['is wanted and there', ['public/a/b'], ['public/a/b'], { prune: true }, [], { unchanged: 1 }],
  ['is there in another case', ['public/A/b'], ['public/a/B'], { prune: true }, [], { unchanged: 1 }],
  ['is there as a private one', ['public/acme/b'], ['private/acme/b'], {}, ['create public/acme/b'], { extra: 1 }],
  ['is not wanted', [], ['public/a/b'], {}, [], { extra: 1 }],
  ['is not wanted, with prune', [], ['public/a/b'], { prune: true }, ['delete public/a/b'], {}],
  ['is private, with prune', [], ['private/acme/b'], { prune: true }, [], { kept: 1 }],
  ['is private, with both', [], ['private/acme/b'], { prune: true, prunePrivate: true }, ['delete private/acme/b'], {}],
  [
    'takes the place of another: added before that goes',
    ['public/a/new'],
    ['public/a/old'],
    { prune: true },
    ['create public/a/new', 'delete public/a/old'],
    {},
  ],
])('a provider %s', (_, wanted, listed, rules, steps, rest) => {
  const plan = makePlan('acme', wanted.map(toWanted), listed.map(toListed), { ...NOTHING, ...rules });
  const { unchanged, extra, kept } = plan;
  expect({ steps: describeSteps(plan), unchanged, extra, kept }).toEqual({
    steps,
    unchanged: 0,
    extra: 0,
    kept: 0,
    ...rest,
  });
});

const anyTexts = fc.uniqueArray(
  fc.constantFrom(
    ...['public/a', 'private/acme'].flatMap((start) => ['b', 'c', 'd', 'e'].map((name) => `${start}/${name}`)),
  ),
);

test('done, nothing is left to be done but what stays', () => {
  fc.assert(
    fc.property(anyTexts, anyTexts, fc.boolean(), fc.boolean(), (wanted, listed, prune, prunePrivate) => {
      const rules = { prune, prunePrivate: prune && prunePrivate };
      const plan = makePlan('acme', wanted.map(toWanted), listed.map(toListed), rules);
      const after = new Set(listed);
      for (const { action, address } of plan.steps) {
        if (action === 'create') after.add(toAddressText(address));
        else after.delete(toAddressText(address));
      }
      const again = makePlan('acme', wanted.map(toWanted), [...after].map(toListed), rules);
      expect(again.steps).toEqual([]);
      expect(wanted.filter((text) => !after.has(text))).toEqual([]);
      const left = listed.filter((text) => !wanted.includes(text));
      const stays = left.filter((text) => !prune || (text.startsWith('private') && !prunePrivate));
      expect([...after].filter((text) => !wanted.includes(text))).toEqual(stays);
      expect(
        plan.unchanged + plan.extra + plan.kept + plan.steps.filter(({ action }) => action === 'delete').length,
      ).toBe(listed.length);
    }),
  );
});

test('what no list of the organization can name is passed over', () => {
  const toResource = (attributes: object) => ({
    id: 'prov-1',
    type: 'registry-providers',
    attributes: { ...attributes },
  });
  const own = { 'registry-name': 'private', namespace: 'ACME', name: 'x' };
  expect(toListedProvider(toResource(own), 'acme')).toMatchObject({ id: 'prov-1' });
  expect(toListedProvider(toResource({ ...own, namespace: 'globex' }), 'acme')).toBeUndefined();
  expect(toListedProvider(toResource({ ...own, 'registry-name': 'other' }), 'acme')).toBeUndefined();
  expect(toListedProvider(toResource({ 'registry-name': 'public' }), 'acme')).toBeUndefined();
});

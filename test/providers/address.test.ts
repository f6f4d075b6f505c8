import { expect, test } from 'vitest';
import { UsageError } from '../../src/lib/errors.ts';
import {
  formatTarget,
  parseAddress,
  parsePrivateAddress,
  parseSource,
  parseTarget,
} from '../../src/providers/address.ts';

const SCOPE = { org: 'acme', host: 'tfe.example.com' };

test.each([
  ['public/hashicorp/aws', 'public/hashicorp/aws'],
  ['registry.terraform.io/hashicorp/aws', 'public/hashicorp/aws'],
  ['hashicorp/aws', 'public/hashicorp/aws'],
  ['private/acme/billing', 'private/acme/billing'],
  ['tfe.example.com/acme/billing', 'private/acme/billing'],
  ['ACME/billing', 'private/acme/billing'],
  ['billing', 'private/acme/billing'],
  ['billing@v1.2.0', 'private/acme/billing@1.2.0'],
  ['acme/billing@1.2.0-rc.1+b/linux_amd64', 'private/acme/billing@1.2.0-rc.1+b/linux_amd64'],
])('%s means %s', (text, meant) => {
  expect(formatTarget(parseTarget(text, SCOPE))).toBe(meant);
});

test.each([
  ['', 'is not a provider address'],
  ['a/b/c/d', 'is not a provider address'],
  ['public//aws', 'is not a provider address'],
  ['public/../aws', 'is not a provider address'],
  ['hashicorp/a ws', 'is not a provider address'],
  ['other/hashicorp/aws', 'names the registry other'],
  ['private/globex/reactor', 'is not in acme'],
  ['billing@', 'names no version'],
  ['billing@latest', 'names no version'],
  ['billing@1.2.0/linux', 'names no version'],
  ['hashicorp/aws@1.0.0', 'names a version of a public provider'],
])('%j is refused: %s', (text, why) => {
  expect(() => parseTarget(text, SCOPE)).toThrow(UsageError);
  expect(() => parseTarget(text, SCOPE)).toThrow(why);
});

test('commands about providers take no versions, and commands about private ones nothing public', () => {
  expect(() => parseAddress('billing@1.2.0', SCOPE)).toThrow('names a version');
  expect(() => parsePrivateAddress('hashicorp/aws', SCOPE)).toThrow('is a public provider');
});

test.each([
  ['registry.terraform.io/hashicorp/aws', { registry: 'public', namespace: 'hashicorp', name: 'aws' }],
  ['tfe.example.com/globex/reactor', { registry: 'private', namespace: 'globex', name: 'reactor' }],
  ['localterraform.com/acme/billing', { registry: 'private', namespace: 'acme', name: 'billing' }],
  ['registry.opentofu.org/hashicorp/aws', undefined],
])('a source address of a lock file: %s', (source, address) => {
  expect(parseSource(source, SCOPE.host)).toEqual(address);
});

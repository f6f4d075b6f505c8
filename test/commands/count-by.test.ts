import { expect, test } from 'vitest';
import { countRows } from '../../src/output/count.ts';
import { transcript } from '../support/transcript.ts';

test('counts the rows with each value, and of a list each of its values', () =>
  transcript()`
    $ members list --count-by status
    5\t0.8333333333333334\tactive
    1\t0.16666666666666666\tinvited
    $ members list --count-by teams.name -o csv
    count,share,value
    2,0.3333333333333333,audit
    2,0.3333333333333333,platform
    1,0.16666666666666666,owners
    1,0.16666666666666666,security
    $ teams list --count-by visibility -o table
    COUNT   SHARE  VALUE
        3  75.0 %  organization
        1  25.0 %  secret
    $ members list --status invited --count-by user.username -o table
    COUNT    SHARE  VALUE
        1  100.0 %  none
    $ members list --status invited --count-by user.username
    1\t1\t
    $ members list --search nobody --count-by status -o json
    []
  `);

test('counts the rows of several organizations together, without those that could not be read', () =>
  transcript()`
    $ members list --org acme,globex,nope --count-by organization.id -o csv
    count,share,value
    10,0.625,globex
    6,0.375,acme
    ! orgctl: 1 of 3 organizations failed
    !   nope: you are not a member of nope
    = 10
    $ tokens list --org acme,globex --count-by kind --fields value,count
    team\t4
    audit-trail\t2
    organization\t2
  `);

test('--fields and --query see the counts', () =>
  transcript()`
    $ members report --count-by owner --fields value,share
    false\t0.8333333333333334
    true\t0.16666666666666666
    $ members list --count-by status --query [1].count
    1
    $ AS=audit-token audit-trail list --count-by nope
    ! orgctl: unknown field 'nope'
    !   → --fields help lists them.
    = 2
    $ members list --count-by user.nope
    ! orgctl: unknown field 'user.nope'
    !   → --fields help lists them.
    = 2
    $ members list --count-by status --fields email
    ! orgctl: unknown field 'email'
    !   → --fields help lists them.
    = 2, nothing sent
  `);

test.each<[name: string, values: unknown[], counts: string]>([
  ['of several types are told apart', ['1', 1, true, 'true', '1'], '[["1",2],[1,1],[true,1],["true",1]]'],
  ['that are missing, null or an empty list are none', [undefined, null, []], '[[null,3]]'],
  ['that a row has twice count once', [['a', 'a', ['b']], 'a'], '[["a",2],["b",1]]'],
  ['with names of Object.prototype count', ['constructor', '__proto__'], '[["__proto__",1],["constructor",1]]'],
])('values: %s', async (_name, values, counts) => {
  const pages = countRows({ table: [{ header: 'X', field: 'x' }] }, [values.map((x) => ({ x }))], 'x');
  const { value: rows } = await pages.next();
  const expected: [unknown, number][] = JSON.parse(counts);
  expect(rows).toEqual(expected.map(([value, count]) => ({ value, count, share: count / values.length })));
});

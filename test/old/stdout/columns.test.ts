import { describe, expect, it } from 'vitest';
import { type Columns, type Field, listFields, type Show } from '../../../src/old/stdout/columns.ts';
import { getField } from '../../../src/old/stdout/fields.ts';
import type { Output } from '../../../src/old/stdout/output.ts';
import type { MembershipRow } from '../../../src/old/wire/flat.ts';

/** What is written wrong here on purpose must not compile: `npm run check:types` fails where it does. */

interface Row {
  readonly id: string;
  readonly result: 'done' | 'failed';
  readonly user?: { readonly name: string; readonly factor?: { readonly on: boolean } } | null;
  readonly teams?: readonly { readonly id: string }[];
}

const PEOPLE: Columns<Row> = { name: 'people', shape: 'record', shown: ['id', 'user.name'], fields: ['teams.id'] };
const ROW: Row = { id: '1', result: 'done', user: { name: 'ana' }, teams: [{ id: 'a' }, { id: 'b' }] };

describe('columns of a row', () => {
  it('have its fields, and those of objects and lists in it, three names deep', () => {
    const known: readonly Field<Row>[] = ['user', 'user.factor', 'user.factor.on', 'teams', 'teams.id', 'result'];
    expect(listFields({ ...PEOPLE, fields: known })).toEqual(['id', 'user.name', ...known]);
    expect(known.map((field) => getField(ROW, field))).toEqual([ROW.user, null, null, ROW.teams, ['a', 'b'], 'done']);
  });

  it('have no other field', () => {
    // @ts-expect-error: a letter is missing
    const shown: Columns<Row> = { ...PEOPLE, shown: ['user.nme'] };
    // @ts-expect-error: no row has it
    const fields: Columns<Row> = { ...PEOPLE, fields: ['changed'] };
    // @ts-expect-error: an item of the list has no name
    const screen: Columns<Row> = { ...PEOPLE, screen: [{ head: 'TEAMS', field: 'teams.name', priority: 0 }] };
    // @ts-expect-error
    const lines: Columns<Row> = { ...PEOPLE, lines: [{ label: 'Team', field: 'team' }] };
    // @ts-expect-error
    const times: Columns<Row> = { ...PEOPLE, times: ['created-at'] };
    // @ts-expect-error
    const cells: Columns<Row> = { ...PEOPLE, cells: { team: () => '' } };
    // @ts-expect-error
    const words: Columns<Row> = { ...PEOPLE, words: { team: () => '' } };
    // @ts-expect-error
    const instead: Columns<Row> = { ...PEOPLE, instead: { 'user.name': 'user.id' } };
    const found = [shown, fields, screen, lines, times, cells, words, instead].map(({ name }) => name);
    expect(new Set(found)).toEqual(new Set(['people']));
    // @ts-expect-error
    expect(getField(ROW, 'user.id')).toBeNull();
  });

  it('show what a row has, and nothing else', () => {
    const done: Show<Row> = (_value, { result }) => (result === 'done' ? 'yes' : 'no');
    // @ts-expect-error: rows end in no such way
    const lost: Show<Row> = (_value, { result }) => (result === 'lost' ? 'yes' : 'no');
    // @ts-expect-error
    const say: Columns<Row> = { ...PEOPLE, sentences: ({ email }) => [{ sign: '✓', text: `${email}` }] };
    expect([done(undefined, ROW, 0), lost(undefined, ROW, 0)]).toEqual(['yes', 'no']);
    expect(say.sentences?.(ROW, 0)).toEqual([{ sign: '✓', text: 'undefined' }]);
  });

  it('fit rows that have more', () => {
    const more: Columns<Row & { readonly address: string }> = PEOPLE;
    // @ts-expect-error: these have less
    const less: Columns<Pick<Row, 'id'>> = PEOPLE;
    expect(more).toBe(less);
  });
});

describe('a row that is printed', () => {
  it('is one that the columns are for', async () => {
    const printed: object[] = [];
    const output: Pick<Output, 'one' | 'changed'> = {
      one: async (_columns, document) => void printed.push(document),
      changed: async (_columns, { extra }) => void printed.push(extra),
    };
    const resource = { type: 'people', id: '1' };
    await output.one(PEOPLE, ROW);
    // @ts-expect-error: it has no result
    await output.one(PEOPLE, { id: '1' });
    // @ts-expect-error: a letter is missing
    await output.changed(PEOPLE, { resource, extra: { reslt: 'done' } });
    // @ts-expect-error: it ends in another way
    await output.changed(PEOPLE, { resource, extra: { result: 'lost' } });
    expect(printed).toEqual([ROW, { id: '1' }, { reslt: 'done' }, { result: 'lost' }]);
  });

  it('may hold anything where the service says it: who needs a text checks that it is one', () => {
    const row: MembershipRow = { email: 5, user: { 'two-factor': { enabled: 'yes' } } };
    // @ts-expect-error: unknown is no text
    expect(() => row.email.trim()).toThrow(TypeError);
    expect(getField(row, 'user.two-factor.enabled')).toBe('yes');
  });
});

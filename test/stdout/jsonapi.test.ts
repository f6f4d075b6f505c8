import { describe, expect, it } from 'vitest';
import { mergeDocuments } from '../../src/stdout/formats/jsonapi.ts';
import type { Page } from '../../src/stdout/result.ts';
import type { Resource } from '../../src/wire/json-api.ts';

const thing = (id: string): Resource => ({ id, type: 'things', attributes: { name: id } });
const user = (id: string): Resource => ({ id, type: 'users' });
const toPage = (items: Resource[], included: Resource[], rest: object = {}): Page => ({
  items,
  included,
  document: { data: items, ...(included.length > 0 ? { included } : {}), ...rest },
});

describe('mergeDocuments', () => {
  it('prints a single page as it came', () => {
    const rest = { links: { self: '/' }, meta: { pagination: {} }, odd: 1 };
    const page = toPage([thing('1')], [user('u'), user('u')], rest);
    expect(mergeDocuments([page])).toBe(page.document);
  });

  it('takes data of all pages, included without repeats, and what is true of the whole list', () => {
    const meta = { 'status-counts': { total: 3 }, pagination: { 'current-page': 1, 'total-count': 3 } };
    const merged = mergeDocuments([
      toPage([thing('1'), thing('2')], [user('u'), user('v')], { links: {}, meta, jsonapi: { version: '1.0' } }),
      toPage([thing('3')], [user('v'), user('w'), { id: 'u', type: 'teams' }], { links: { prev: '/1' }, meta }),
    ]);
    expect(JSON.stringify(merged)).toBe(
      JSON.stringify({
        data: [thing('1'), thing('2'), thing('3')],
        included: [user('u'), user('v'), user('w'), { id: 'u', type: 'teams' }],
        jsonapi: { version: '1.0' },
        meta: { 'status-counts': { total: 3 } },
      }),
    );
  });

  it('leaves out a meta that would be empty, and an included that never was', () => {
    const pages = [toPage([thing('1')], [], { meta: { pagination: {} } }), toPage([thing('2')], [])];
    expect(mergeDocuments(pages)).toEqual({ data: [thing('1'), thing('2')] });
  });

  it('takes an included that only a later page has', () => {
    const pages = [toPage([thing('1')], []), toPage([thing('2')], [user('u')])];
    expect(mergeDocuments(pages)).toEqual({ data: [thing('1'), thing('2')], included: [user('u')] });
  });

  it('merges the pages of the audit trail, which count in snake case', () => {
    const event = { id: 'e', timestamp: '2026-11-21T08:15:00Z' };
    const page: Page = { items: [event], included: [], document: { data: [event], pagination: { current_page: 1 } } };
    expect(mergeDocuments([page])).toBe(page.document);
    expect(mergeDocuments([page, page])).toEqual({ data: [event, event] });
  });

  it('claims nothing about a page of which a limit left only a part', () => {
    const page = toPage([thing('1'), thing('2')], [], { meta: { pagination: { 'total-count': 2 }, a: 1 }, links: {} });
    expect(mergeDocuments([{ ...page, items: [thing('1')] }])).toEqual({ data: [thing('1')], meta: { a: 1 } });
  });

  it('prints no pages as an empty list, and a document of another form as it came', () => {
    expect(mergeDocuments([])).toEqual({ data: [] });
    expect(mergeDocuments([{ items: [{ a: 1 }], included: [], document: { a: 1 } }])).toEqual({ a: 1 });
  });
});

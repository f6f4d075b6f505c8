import { createHash } from 'node:crypto';
import { getField, isObject, type JsonObject } from '../../lib/json.ts';
import { plural, replaceControls } from '../../lib/text.ts';
import { formatUtc } from '../../lib/time.ts';
import { type Column, findStateColor, formatLabel, formatValue, splitColumns } from '../columns.ts';
import { collectRows, type Facts, type Renderer } from '../renderer.ts';
import PAGE from './page.html';

/** What the page may run: its own style and script. */
const OWN = /<(style|script)>(.*?)<\/\1>/gs;

/** The page is printed when the command has ended, since it says what could not be read. */
export function createHtml(): Renderer {
  let print = (_facts: Facts): string => '';
  return {
    rows: ({ table }) =>
      collectRows((records) => {
        print = (facts) => formatPage(facts, records, formatList(splitColumns(table), records, facts.title));
        return '';
      }),
    one({ table, lines = table }, record) {
      print = (facts) => formatPage(facts, undefined, formatOne(lines, record, facts.title));
      return '';
    },
    end: (facts) => print(facts),
  };
}

function formatPage(facts: Facts, records: JsonObject[] | undefined, table: string): string {
  const { title, orgs, service, command, now, version, part, more, problems } = facts;
  const isMissing = ({ item }: Facts['problems'][number]): boolean =>
    item !== undefined && !records?.some((record) => getField(record, 'organization.id') === item);
  const hasGap = !facts.isOfWrite && problems.some(isMissing);
  const limits = (part && `, a part of the list (${part})`) + (hasGap ? ', without what could not be read' : '');
  const extent = limits || (problems.length === 0 && !facts.isOfWrite ? ', complete' : '');
  const rows = records ? records.length.toLocaleString('en-US') + extent : '';
  const lines = { service, organizations: orgs.join(', '), command, time: formatUtc(now), version, rows, ...more };
  const shown = Object.entries(lines).filter(([, text]) => text !== '');
  const parts: Record<string, string> = {
    allowed: [...PAGE.matchAll(OWN)].map(([, tag, text]) => `${tag}-src '${hash(text)}'`).join('; '),
    title: escapeText([title, ...orgs].join(' · ')),
    heading: escapeText(title),
    facts: shown
      .map(([name, text]) => `<dt>${formatLabel(name.toUpperCase())}</dt><dd>${escapeText(text)}</dd>\n`)
      .join(''),
    problems: formatProblems(facts),
    table,
  };
  return PAGE.replace(/\{\{(\w+)\}\}/g, (_, name: string) => parts[name] ?? '');
}

function hash(text = ''): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function formatProblems({ isOfWrite, problems }: Facts): string {
  if (problems.length === 0) return '';
  const unknown = isOfWrite ? '' : '<span class="yellow">unknown</span>, ';
  const items = problems.map(
    ({ item, text }) => `<li>${item ? `<b>${escapeText(item)}</b>: ${unknown}` : ''}${escapeText(text)}</li>\n`,
  );
  return `<section aria-labelledby="problems">
<h2 id="problems">${isOfWrite ? 'Failed' : 'Could not be read'}</h2>
<ul>\n${items.join('')}</ul>
</section>\n`;
}

function formatList(columns: Column[], records: JsonObject[], title: string): string {
  const count = plural(records.length, 'row');
  const header = columns.map(({ header, align }) => {
    return `<th scope="col"${align ? ' class="number"' : ''}>${escapeText(formatLabel(header))}</th>`;
  });
  const rows = records.map((record) => `<tr>${columns.map((cell) => formatCell(cell, record)).join('')}</tr>\n`);
  return `<div class="filter" role="search" data-rows="${count}" hidden>
<label for="filter">Filter</label> <input id="filter" type="search" autocomplete="off"> <output for="filter"></output>
</div>
<div class="table" role="region" aria-label="Rows" tabindex="0">
<table class="list">
<caption>${escapeText(title)}: ${count}</caption>
<thead><tr>${header.join('')}</tr></thead>
<tbody>
${rows.join('')}</tbody>
</table>
</div>
`;
}

function formatOne(columns: Column[], record: JsonObject, title: string): string {
  const rows = columns.map(
    (cell) => `<tr><th scope="row">${escapeText(formatLabel(cell.header))}</th>${formatCell(cell, record)}</tr>\n`,
  );
  return `<table class="one">\n<caption>${escapeText(title)}</caption>\n<tbody>\n${rows.join('')}</tbody>\n</table>\n`;
}

const MAX_ON_A_LINE = 48;
/** The words that a table shows for a value that is not there. */
const WORDS = ['none', 'unknown', 'never', 'no limit'];

function formatCell(cell: Column, record: JsonObject): string {
  const value = getField(record, cell.field);
  const text = formatText(cell, value, record);
  const isLong = text.length > MAX_ON_A_LINE;
  const color = cell.isState || !value ? findStateColor(text) : undefined;
  const classes = [color, isLong && 'long', cell.align && 'number'].filter(Boolean).join(' ');
  const parts = Array.isArray(value)
    ? value.map((item) => `<span>${escapeText(format(item))}</span>`)
    : [escapeText(text)];
  return `<td${classes && ` class="${classes}"`}>${parts.join(isLong ? ',<wbr>' : ',')}</td>`;
}

/** The text of csv, and a word where csv has none. */
function formatText({ format: shown }: Column, value: unknown, record: JsonObject): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = format(value);
  if (text !== '') return text;
  const isUnread = record.status === 'not-permitted' || (isObject(record.error) && record.result === undefined);
  if (shown === 'flag' || isUnread) return 'unknown';
  return WORDS.find((word) => typeof shown === 'function' && word === shown(value, record, undefined)) ?? '';
}

const format = (value: unknown): string => formatValue(value, ',', replaceControls);

function escapeText(text: string): string {
  return replaceControls(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

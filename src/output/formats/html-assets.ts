export const STYLE = `
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#57606a;--line:#d8dee4;--paper:#fff;--band:#f6f8fa;--focus:#0550ae;
--green:#116329;--yellow:#7d4e00;--red:#b3131e;background:var(--paper);color:var(--ink)}
@media (prefers-color-scheme:dark){:root{--ink:#e6e8eb;--soft:#a3acb6;--line:#363c44;--paper:#16191d;--band:#1e2227;
--focus:#79b8ff;--green:#5fce7d;--yellow:#e2b53e;--red:#ff8f87}}
*{box-sizing:border-box} [hidden]{display:none!important}
body{margin:0;padding:2rem max(1rem,3vw);font:.9375rem/1.6 system-ui,sans-serif;font-variant-numeric:tabular-nums}
h1{margin:0 0 1rem;font-size:1.625rem;line-height:1.2} h2{margin:0 0 .5rem;font-size:1rem}
h1,h2,thead th{font-weight:600} h1,dd,li,td,th{overflow-wrap:anywhere;unicode-bidi:isolate}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.125rem 1.5rem;margin:0 0 1.75rem}
dd,ul{margin:0} ul{padding-left:1.25rem} dt,label,output,tbody th{color:var(--soft);font-weight:400}
section{margin:0 0 1.75rem;padding:.75rem 1rem;border:1px solid var(--line);border-left:.25rem solid var(--red)}
.filter{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .75rem;margin:0 0 .75rem}
input{flex:0 1 22rem;padding:.375rem .625rem;border:1px solid var(--soft);border-radius:.25rem}
input,button{background:none;color:inherit;font:inherit;text-align:left}
.table{position:relative;overflow:auto;max-height:calc(100vh - 2rem)}
table{border-spacing:0} :focus-visible{outline:2px solid var(--focus);outline-offset:1px}
caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
th,td{padding:.4375rem 1.5rem .4375rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
th,td,td span{white-space:nowrap}
.list tr>:first-child{position:sticky;left:0;background:var(--paper)}
@media (max-width:40rem){.list tr>:first-child{position:static;min-width:0}}
thead th,.list thead th:first-child{position:sticky;top:0;z-index:1;border-color:var(--soft);background:var(--paper)}
.list thead th:first-child{z-index:2}
.list tbody tr:hover>*{background:var(--band)}
.list .long,.one td{min-width:16rem;max-width:36rem;white-space:normal}
td span+span{margin-left:.25em} .list .number{text-align:right}
button{padding:0;border:0;cursor:pointer}
button::after{content:"\\2195";display:inline-block;width:1.25em;color:var(--soft);text-align:center}
[aria-sort] button::after{content:"\\2191";color:var(--ink)} [aria-sort=descending] button::after{content:"\\2193"}
.green{color:var(--green)} .yellow{color:var(--yellow)} .red{color:var(--red);font-weight:600}
:is(.green,.yellow,.red)::before{content:"";display:inline-block;margin-right:.5em;vertical-align:.1em;
border:.25em solid currentColor;border-radius:50%}
@media print{@page{size:landscape;margin:12mm}
:root{color-scheme:light;--ink:#000;--soft:#444;--line:#bbb;--paper:#fff;--green:#116329;--yellow:#7d4e00;--red:#b3131e}
body{padding:0;font-size:.625rem} h1,dd,li,td,th{overflow-wrap:break-word} tr,section{break-inside:avoid}
.table{max-height:none;overflow:visible} .list :is(.green,.yellow,.red){white-space:nowrap!important}
.list tr>*,.list tr>:first-child{position:static;min-width:0;padding-right:.75rem;white-space:normal}
.filter:not(.active),th:not([aria-sort]) button::after{display:none}}
`;

export const SCRIPT = `
const table = document.querySelector('table'), body = table.tBodies[0], rows = [...body.rows];
const collator = new Intl.Collator('en', { numeric: true });
function sort(header, column) {
  const direction = header.getAttribute('aria-sort') === 'ascending' ? 'descending' : 'ascending';
  const texts = new Map(rows.map((row) => [row, row.cells[column].textContent]));
  const isNumber = [...texts.values()].every((text) => !Number.isNaN(Number(text)));
  const compare = (one, other) => (isNumber ? one - other : collator.compare(one, other));
  rows.sort((row, next) => {
    const [one, other] = [texts.get(row), texts.get(next)];
    return (one === '') - (other === '') || (direction === 'ascending' ? compare(one, other) : compare(other, one));
  });
  for (const row of rows) body.append(row);
  for (const other of header.parentNode.cells) other.removeAttribute('aria-sort');
  header.setAttribute('aria-sort', direction);
}
for (const [column, header] of [...(table.tHead?.rows[0].cells ?? [])].entries()) {
  const button = document.createElement('button');
  button.append(...header.childNodes);
  button.addEventListener('click', () => sort(header, column));
  header.append(button);
}
const filter = document.querySelector('.filter');
filter?.removeAttribute('hidden');
filter?.addEventListener('input', ({ target }) => {
  const words = target.value.toLowerCase().split(' ').filter(Boolean);
  for (const row of rows) {
    row.text ??= [...row.cells].map((cell) => cell.textContent.toLowerCase()).join('\\n');
    row.hidden = !words.every((word) => row.text.includes(word));
  }
  const count = rows.filter((row) => !row.hidden).length.toLocaleString('en-US');
  filter.classList.toggle('active', words.length > 0);
  filter.querySelector('output').textContent = words.length > 0 ? count + ' of ' + filter.dataset.rows : '';
});
`;

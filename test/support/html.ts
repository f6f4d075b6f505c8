/** The page of `-o html`, read without a browser. Throws for one without a table. */
export function parsePage(html: string) {
  const find = (pattern: RegExp, text = html): string[] =>
    [...text.matchAll(pattern)].map(([, part = '']) => decode(part));
  const [, table = ''] = /<table[^>]*>(.*?)<\/table>/s.exec(html) ?? [];
  if (table === '') throw new Error('no page');
  const names = find(/<dt>(.*?)<\/dt>/gs);
  const values = find(/<dd>(.*?)<\/dd>/gs);
  return {
    title: find(/<h1>(.*?)<\/h1>/gs)[0],
    facts: Object.fromEntries(names.map((name, at) => [name, values[at]])),
    problems: find(/<li>(.*?)<\/li>/gs),
    header: find(/<th scope="col"[^>]*>(.*?)<\/th>/gs, table),
    labels: find(/<th scope="row"[^>]*>(.*?)<\/th>/gs, table),
    rows: table.split('<tr>').flatMap((row) => (row.includes('<td') ? [find(/<td[^>]*>(.*?)<\/td>/gs, row)] : [])),
  };
}

/** The text that a browser shows. */
function decode(html: string): string {
  return html.replace(/<[^>]*>/g, '').replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}

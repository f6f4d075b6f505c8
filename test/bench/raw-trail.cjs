// The floor of following: every page one after the other, each event parsed, and printed as a line, oldest first.
'use strict';
const { request, Agent } = require('undici');

const base = process.argv[2];

(async () => {
  const dispatcher = new Agent({ connections: 1, pipelining: 1 });
  const pages = [];
  for (let number = 1, next = 1; next !== null; number = next) {
    const { body } = await request(`${base}/organization/audit-trail?page%5Bnumber%5D=${number}&page%5Bsize%5D=1000`, {
      dispatcher,
      headers: { authorization: 'Bearer audit-0', accept: 'application/json' },
    });
    const { data, pagination } = await body.json();
    pages.push(
      data
        .reverse()
        .map((event) => `${JSON.stringify(event)}\n`)
        .join(''),
    );
    next = pagination.next_page;
    if (next === null) break;
  }
  for (const page of pages.reverse()) process.stdout.write(page);
  await dispatcher.close();
})();

// The floor of a whole list: every page one after the other, bodies read and nothing parsed but the first.
const http = require('node:http');

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const port = Number(process.argv[2]);

function fetchPage(number) {
  const path = `/api/v2/organizations/acme/organization-memberships?include=user&page%5Bnumber%5D=${number}&page%5Bsize%5D=100`;
  return new Promise((resolve, reject) => {
    http
      .get({ host: '127.0.0.1', port, path, agent }, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => resolve(Buffer.concat(chunks)));
      })
      .on('error', reject);
  });
}

(async () => {
  const first = JSON.parse(await fetchPage(1));
  const pages = first.meta.pagination['total-pages'];
  for (let number = 2; number <= pages; number += 1) await fetchPage(number);
  agent.destroy();
})();

// The floor of one list: a bare node:http request of one page, printed as JSON.
const http = require('node:http');

const path = '/api/v2/organizations/acme/organization-memberships?include=user&page%5Bsize%5D=100';
http.get({ host: '127.0.0.1', port: Number(process.argv[2]), path, agent: false }, (response) => {
  const chunks = [];
  response.on('data', (chunk) => chunks.push(chunk));
  response.on('end', () => process.stdout.write(JSON.stringify(JSON.parse(Buffer.concat(chunks)).data)));
});

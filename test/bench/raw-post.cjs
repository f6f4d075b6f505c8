// The floor of a rotation: a bare node:http request for a new audit trail token, its secret printed.
const http = require('node:http');

const path = '/api/v2/organizations/acme/authentication-token?token=audit-trails';
const headers = { authorization: 'Bearer sandbox.owner', 'content-type': 'application/vnd.api+json' };
http
  .request(
    { method: 'POST', host: '127.0.0.1', port: Number(process.argv[2]), path, headers, agent: false },
    (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => process.stdout.write(JSON.parse(Buffer.concat(chunks)).data.attributes.token));
    },
  )
  .end(JSON.stringify({ data: { type: 'authentication-token', attributes: {} } }));

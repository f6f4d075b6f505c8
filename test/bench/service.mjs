// A service that answers as fast as Node can: memberships with prepared bodies, after so many milliseconds.
// Runs as a process of its own: `node service.mjs <rows> <latency> <limit> [gzip]`, and says its port as the first line.
// With gzip it compresses for whoever asks for it.

import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import process from 'node:process';
import { gzipSync } from 'node:zlib';

const [rows, latency, limit] = process.argv.slice(2).map(Number);
const compresses = process.argv[5] === 'gzip';
const bodies = new Map();

const server = createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const size = Number(url.searchParams.get('page[size]') ?? 20);
  const number = Number(url.searchParams.get('page[number]') ?? 1);
  const encoding = compresses && request.headers['accept-encoding']?.includes('gzip') ? 'gzip' : 'identity';
  const answer = () => {
    response.writeHead(200, {
      ...(encoding === 'gzip' ? { 'content-encoding': encoding } : {}),
      'content-type': 'application/vnd.api+json',
      'x-ratelimit-limit': String(limit),
    });
    response.end(bodyOf(number, size, encoding));
  };
  if (latency > 0) setTimeout(answer, latency);
  else answer();
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));

function bodyOf(number, size, encoding) {
  const key = `${number}/${size}/${encoding}`;
  if (!bodies.has(key)) {
    const body = Buffer.from(JSON.stringify(toDocument(number, size)));
    // As quickly as web servers do it when nobody says otherwise.
    bodies.set(key, encoding === 'gzip' ? gzipSync(body, { level: 1 }) : body);
  }
  return bodies.get(key);
}

/** Sixteen signs that compress as badly as a service's own. */
function toId(kind, index) {
  return createHash('sha256').update(`${kind}${index}`).digest('base64url').slice(0, 16);
}

function toDocument(number, size) {
  const first = (number - 1) * size;
  const count = Math.max(0, Math.min(size, rows - first));
  const indexes = Array.from({ length: count }, (_, index) => first + index);
  const pages = Math.ceil(rows / size);
  return {
    data: indexes.map((index) => ({
      id: `ou-${toId('ou', index)}`,
      type: 'organization-memberships',
      attributes: { status: 'active', email: `person${index}@example.com`, 'created-at': '2026-01-01T00:00:00.000Z' },
      relationships: {
        user: { data: { id: `user-${toId('user', index)}`, type: 'users' } },
        teams: { data: [{ id: 'team-1', type: 'teams' }] },
        organization: { data: { id: 'acme', type: 'organizations' } },
      },
    })),
    included: indexes.map((index) => ({
      id: `user-${toId('user', index)}`,
      type: 'users',
      attributes: { username: `person${index}` },
    })),
    meta: {
      pagination: {
        'current-page': number,
        'page-size': size,
        'prev-page': number > 1 ? number - 1 : null,
        'next-page': number < pages ? number + 1 : null,
        'total-pages': pages,
        'total-count': rows,
      },
    },
  };
}

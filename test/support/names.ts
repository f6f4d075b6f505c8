import type { Sandbox } from '../../src/sandbox/sandbox.ts';

/** Readable names in place of ids, so that whole texts can be compared and still be read. */
export interface Names {
  /**
   * Replaces what differs from run to run or says nothing: known ids by who or what they are (`ou-ada`,
   * `team-platform.globex`, `prov-acme-inventory`, `fs-plus`), others by their order of appearance (`ou-1`), request
   * ids (`request-1`), secrets (`SECRET-1`), the port (`PORT`), this machine's time (`LOCAL`) and whatever else was given to `createNames`.
   */
  plain(text: string): string;
  /** The reverse: the text with the ids of the demo in place of the names. */
  real(text: string): string;
}

interface Document {
  data: Listed[];
}

interface Listed {
  id: string;
  attributes: Record<string, unknown>;
  relationships?: {
    user: { data: { id: string } };
    teams: { data: { id: string }[] };
  };
}

const ORGANIZATIONS = ['acme', 'globex', 'initech'];
/** The team each of these is in, wherever they are: teams have names in the list outside the document only. */
const TEAM_OF: Record<string, string> = {
  olive: 'owners',
  rex: 'platform',
  tara: 'security',
  milo: 'audit',
  sam: 'network',
  priya: 'data',
};
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g;
const SECRET = /\bsandbox\.[A-Za-z0-9]{56}\b/g;
const FINGERPRINT = /\bsha256:[0-9a-f]{16}\b/g;
const ID = /\b(at|fs|org|ou|provver|prov|team|user)-[A-Za-z0-9]{16}\b/g;

/** Sandboxes as they are made, with the ids that all of them have: what they hold is read once. */
export const DEMO = new WeakSet<Sandbox>();
let demo: Promise<Map<string, string>> | undefined;

/** Names for what is in the demo organizations now. `replacements`: other texts, such as a folder, and their names. */
export async function createNames(sandbox: Sandbox, replacements: [text: string, name: string][] = []): Promise<Names> {
  demo ??= DEMO.has(sandbox) ? readKnownIds(sandbox) : undefined;
  const known = await (DEMO.has(sandbox) && demo !== undefined ? demo : readKnownIds(sandbox));
  const ids = new Map([...known].map(([id, name]) => [name, id]));
  const others = new Map<string, string>();
  const counts = new Map<string, number>();
  const nameOther = (text: string, kind: string): string => {
    const given = others.get(text);
    if (given !== undefined) return given;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    others.set(text, `${kind}-${count}`);
    return `${kind}-${count}`;
  };
  const plain = (text: string): string =>
    replacements
      .reduce((shown, [real, name]) => shown.replaceAll(real, name), text)
      .replaceAll(SECRET, (secret) => nameOther(secret, 'SECRET'))
      .replaceAll(FINGERPRINT, 'FINGERPRINT')
      .replaceAll(UUID, (uuid) => nameOther(uuid, 'request'))
      .replaceAll(ID, (id, kind: string) => known.get(id) ?? nameOther(id, kind))
      .replaceAll(/\b127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
      .replaceAll(/(?<=\bhere that is )\d{4}-\d\d-\d\d \d\d:\d\d/g, 'LOCAL');
  return {
    plain,
    real: (text) =>
      text.replaceAll(
        /(?<![\w.-])(?:fs|ou|prov|team|user)-[a-z][a-z0-9-]*(?:\.[a-z]+)?(?![\w-])/g,
        (name) => ids.get(name) ?? name,
      ),
  };
}

async function readKnownIds(sandbox: Sandbox): Promise<Map<string, string>> {
  const token = sandbox.tokenFor('owner', 'acme');
  const read = async (path: string): Promise<Listed[]> => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await sandbox.handle(new Request(`http://sandbox.test${path}`, { headers }));
    return ((await response.json()) as Document).data;
  };
  const known = new Map<string, string>();
  const taken = new Set<string>();
  const call = (id: string, name: string): void => {
    if (known.has(id)) return;
    let free = name;
    for (let number = 2; taken.has(free); number += 1) free = `${name}-${number}`;
    taken.add(free);
    known.set(id, free);
  };
  for (const { id, attributes } of await read('/feature-sets')) call(id, `fs-${attributes['identifier']}`);
  for (const organization of ORGANIZATIONS) {
    const suffix = organization === ORGANIZATIONS[0] ? '' : `.${organization}`;
    for (const member of await read(`/organizations/${organization}/organization-memberships?page%5Bsize%5D=100`)) {
      // A service account has no address.
      const [person = ''] = String(member.attributes['email'] ?? 'service').split('.');
      const { user, teams } = member.relationships ?? {};
      call(member.id, `ou-${person}${suffix}`);
      if (user !== undefined) call(user.data.id, `user-${person}`);
      if (TEAM_OF[person] !== undefined) {
        for (const team of teams?.data ?? []) call(team.id, `team-${TEAM_OF[person]}${suffix}`);
      }
    }
    const providers = await read(`/organizations/${organization}/registry-providers?page%5Bsize%5D=100`);
    for (const { id, attributes } of providers) call(id, `prov-${attributes['namespace']}-${attributes['name']}`);
  }
  return known;
}

import { ofCaller } from '../access.ts';
import { createProblem } from '../problems.ts';
import { isCurated } from '../queries/providers.ts';
import { type Answer, answerPlain, type Context, type Route } from '../route.ts';
import { fold } from '../rows.ts';

/**
 * The proxy to the public registry, at the prefix of the service's document, section Versioning. Assumed: the proxy to the
 * public registry answers plain JSON, on the paths of Terraform's protocol for provider registries.
 */
export const PUBLIC_REGISTRY_ROUTES: readonly Route[] = [
  ofCaller('GET', '/api/registry/public/v1/providers/:namespace/:type/versions', 'public-registry.show', listVersions, {
    atOrigin: true,
    documented: true,
  }),
];

const VERSIONS = ['6.8.0', '6.7.0', '5.100.0', '5.99.1'].map((version) => ({
  version,
  protocols: ['5.0'],
  platforms: [
    { os: 'darwin', arch: 'arm64' },
    { os: 'linux', arch: 'amd64' },
    { os: 'linux', arch: 'arm64' },
    { os: 'windows', arch: 'amd64' },
  ],
}));

/** Some of the providers that really exist. An organization can also list one that does not exist. */
const PUBLISHED = [
  ...['archive', 'aws', 'azuread', 'azurerm', 'google', 'helm', 'http', 'kubernetes', 'local', 'null', 'random'],
  ...['tfe', 'time', 'tls', 'vault'],
].map((name) => `hashicorp/${name}`);

/**
 * Assumed: a caller sees the versions of public providers that an organization of the caller lists; any other provider
 * is answered with 404.
 */
function listVersions(context: Context): Answer {
  const { namespace = '', type = '' } = context.params;
  const isPublished = PUBLISHED.includes(fold(`${namespace}/${type}`));
  if (!isPublished || !isCurated(context.store, context.caller, namespace, type)) throw createProblem(404);
  return answerPlain({ versions: VERSIONS });
}

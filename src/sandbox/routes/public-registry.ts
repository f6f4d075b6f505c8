import { requirePermission, requirePresent } from '../access.ts';
import { type Answer, type Context, PLAIN_JSON, type Route } from '../route.ts';

/** The proxy to the public registry, of which the sandbox has a few providers by heart. Plain JSON. */
export const PUBLIC_REGISTRY_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/registry/public/v1/providers/:namespace/:type/versions',
    atOrigin: true,
    documented: false,
    handle: listVersions,
  },
];

interface CatalogueEntry {
  readonly address: string;
  readonly protocols: readonly string[];
  readonly versions: readonly string[];
}

const CATALOGUE: readonly CatalogueEntry[] = [
  { address: 'hashicorp/aws', protocols: ['5.0'], versions: ['6.8.0', '6.7.0', '5.100.0', '5.99.1'] },
  { address: 'hashicorp/azurerm', protocols: ['5.0'], versions: ['4.40.0', '4.39.0', '3.117.1'] },
  { address: 'hashicorp/google', protocols: ['5.0'], versions: ['6.47.0', '6.46.0', '5.45.2'] },
  { address: 'hashicorp/random', protocols: ['5.0'], versions: ['3.7.2', '3.7.1', '3.6.3'] },
  { address: 'integrations/github', protocols: ['5.0'], versions: ['6.6.0', '6.5.0'] },
];

const PLATFORMS = [
  { os: 'darwin', arch: 'arm64' },
  { os: 'linux', arch: 'amd64' },
  { os: 'linux', arch: 'arm64' },
  { os: 'windows', arch: 'amd64' },
] as const;

/** The public registry folds the case of addresses. */
function listVersions(context: Context): Answer {
  requirePermission(context, 'public-registry.show');
  const address = `${context.params['namespace']}/${context.params['type']}`.toLowerCase();
  const entry = requirePresent(CATALOGUE.find((candidate) => candidate.address === address));
  const versions = entry.versions.map((version) => ({
    version,
    protocols: entry.protocols,
    platforms: PLATFORMS,
  }));
  return { status: 200, mediaType: PLAIN_JSON, body: { versions } };
}

import { isSameKey, type SigningKey } from '../service/gpg-keys.ts';
import type { ProviderPlatform, ProviderVersion } from '../service/provider-versions.ts';
import { type Platform, toPlatformText } from './release.ts';

/** Whether Terraform can install it, and in words what is missing. */
export interface Readiness {
  readonly ready: boolean;
  readonly missing: readonly string[];
}

export const NO_VERSION: Readiness = { ready: false, missing: ['no version yet'] };

export interface KnownVersion {
  readonly version: Pick<ProviderVersion, 'keyId' | 'hasSums' | 'hasSignature'>;
  readonly platforms: readonly Pick<ProviderPlatform, 'os' | 'arch' | 'hasFile'>[];
  /** Undefined where they can't be read: then nothing is said of them. */
  readonly keys: readonly Pick<SigningKey, 'keyId'>[] | undefined;
}

/** `wanted`: platforms that it should have. */
export function judgeVersion(
  { version, platforms, keys }: KnownVersion,
  wanted: readonly Platform[] = platforms,
): Readiness {
  const hasKey = keys === undefined || keys.some(({ keyId }) => isSameKey(keyId, version.keyId));
  const isThere = (platform: Platform): boolean =>
    platforms.some((each) => each.hasFile && toPlatformText(each) === toPlatformText(platform));
  const lacking = wanted.filter((platform) => !isThere(platform));
  return toReadiness([
    ...(hasKey ? [] : [`key ${version.keyId} not registered`]),
    ...(version.hasSums ? [] : ['SHA256SUMS not uploaded']),
    ...(version.hasSignature ? [] : ['signature not uploaded']),
    ...(wanted.length === 0 ? ['no platform yet'] : lacking.map((each) => `${toPlatformText(each)} not uploaded`)),
  ]);
}

/**
 * The version, or platforms of it, that the service has and Terraform does not find. `undefined`: the whole version.
 */
export function judgeOffer(notOffered: readonly (Platform | undefined)[]): Readiness {
  return toReadiness(
    notOffered.map((platform) =>
      platform === undefined ? 'not listed for Terraform' : `${toPlatformText(platform)} not offered to Terraform`,
    ),
  );
}

function toReadiness(missing: readonly string[]): Readiness {
  return { ready: missing.length === 0, missing };
}

/** `no: no version yet` */
export function describeReadiness({ ready, missing }: Readiness): string {
  return ready ? 'yes' : `no: ${missing.join(', ')}`;
}

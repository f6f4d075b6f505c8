import { isSameKey, type SigningKey } from '../service/gpg-keys.ts';
import type { ProviderPlatform, ProviderVersion } from '../service/provider-versions.ts';
import { type PlatformFile, type Release, toPlatformText } from './release.ts';

/** What is left to publish of a release, and whether what is there is another one. Pure. */

/** What the service has of it. */
export interface Present {
  readonly hasProvider: boolean;
  readonly keys: readonly SigningKey[];
  readonly version: ProviderVersion | undefined;
  readonly platforms: readonly ProviderPlatform[];
  /** What its SHA256SUMS say; undefined where they are not there, or can't be read. */
  readonly sums: string | undefined;
}

export interface Plan {
  readonly addProvider: boolean;
  readonly addKey: boolean;
  readonly addVersion: boolean;
  readonly sums: boolean;
  readonly signature: boolean;
  /** `isThere`: without its file. */
  readonly platforms: readonly { readonly file: PlatformFile; readonly isThere: boolean }[];
}

export function planPublishing(release: Release, keyId: string, present: Present): Plan {
  const { hasProvider, keys, version, platforms } = present;
  return {
    addProvider: !hasProvider,
    addKey: !keys.some((key) => isSameKey(key.keyId, keyId)),
    addVersion: version === undefined,
    sums: version?.hasSums !== true,
    signature: version?.hasSignature !== true,
    platforms: release.platforms.flatMap((file) => {
      const found = findPlatform(platforms, file);
      return found?.hasFile === true ? [] : [{ file, isThere: found !== undefined }];
    }),
  };
}

export function isNothing({ addProvider, addKey, addVersion, sums, signature, platforms }: Plan): boolean {
  return !(addProvider || addKey || addVersion || sums || signature || platforms.length > 0);
}

/** Why the version that is there is not this release, each as a sentence. */
export function findDifferences(release: Release, keyId: string, present: Present): readonly string[] {
  const { version, platforms, sums } = present;
  if (version === undefined) return [];
  return [
    ...(isSameKey(version.keyId, keyId)
      ? []
      : [`It was created with the key ${version.keyId || '(none)'}, and this release is signed with ${keyId}.`]),
    ...(sums === undefined || sums === Buffer.from(release.signed.text).toString('utf8')
      ? []
      : ['Its SHA256SUMS are not those of this release.']),
    ...release.platforms.flatMap((file) => {
      const found = findPlatform(platforms, file);
      if (found === undefined) return [];
      const name = toPlatformText(file);
      if (found.sum.toLowerCase() !== file.sum)
        return [`Its ${name} has the sum ${found.sum}, and here it is ${file.sum}.`];
      return found.filename === file.name ? [] : [`Its ${name} is called ${found.filename}, and here ${file.name}.`];
    }),
  ];
}

/** What differs and does not keep Terraform from installing it. */
export function findOddities(release: Release, { version, platforms }: Present): readonly string[] {
  if (version === undefined) return [];
  const [there, here] = [version.protocols, release.protocols].map((each) => each.toSorted().join(', '));
  const extra = platforms.filter((each) => findPlatform(release.platforms, each) === undefined);
  const what = `version ${release.version}`;
  return [
    ...(there === here
      ? []
      : [
          `${what} was created with ${there === '' ? 'no protocols' : `protocol ${there}`}, and the release has ${here}`,
        ]),
    ...(extra.length === 0
      ? []
      : [`${what} also has ${extra.map(toPlatformText).join(', ')}, which the release does not name`]),
  ];
}

function findPlatform<Known extends { readonly os: string; readonly arch: string }>(
  platforms: readonly Known[],
  { os, arch }: { readonly os: string; readonly arch: string },
): Known | undefined {
  return platforms.find((each) => each.os === os && each.arch === arch);
}

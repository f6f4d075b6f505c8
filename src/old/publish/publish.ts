import { actOnEach } from '../act-on-each.ts';
import {
  describeError,
  type FailedItem,
  OrgctlError,
  orUndefined,
  reword,
  ServiceError,
  UsageError,
} from '../errors.ts';
import { listNotAttempted, toOneError } from '../failures.ts';
import { isSignal, toSignal } from '../interrupts.ts';
import { toAddressText } from '../resources/provider-address.ts';
import type { SigningKey } from '../service/gpg-keys.ts';
import type { PrivateRegistry } from '../service/private-registry.ts';
import type { ProviderVersion, VersionAddress } from '../service/provider-versions.ts';
import type { Service } from '../service/service.ts';
import { findSecretParts } from '../service/uploads.ts';
import { joinNames } from '../text/join.ts';
import type { OpenPgp, PublicKey } from './open-pgp.ts';
import { findDifferences, findOddities, isNothing, type Plan, type Present, planPublishing } from './plan.ts';
import { judgeOffer, judgeVersion, type Readiness } from './readiness.ts';
import { type Platform, type Release, type ReleaseFile, toPlatformText } from './release.ts';
import { type Upload, uploadFile } from './upload.ts';

/** A release that was checked, brought to the service: what is there stays, and what is left is done. */

export interface PublishOptions {
  readonly registry: PrivateRegistry;
  readonly providers: Service['providers'];
  readonly openPgp: OpenPgp;
  readonly organization: string;
  readonly address: VersionAddress;
  readonly release: Release;
  readonly dryRun: boolean;
  /** Milliseconds since 1970. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  warn(text: string): void;
  /** Addresses of uploads, which nothing may show. */
  hide(...secrets: readonly string[]): void;
  /** All files that are on their way, with the bytes that were sent of each. */
  onProgress(underway: readonly { readonly label: string; readonly sent: number; readonly size: number }[]): void;
}

export interface Published {
  readonly version: ProviderVersion;
  readonly changed: boolean;
  readonly readiness: Readiness;
  readonly keyId: string;
  /** Why not all of it is there. */
  readonly failure: OrgctlError | undefined;
}

const AT_ONCE = 4;
/** Milliseconds. */
const PAUSE_BEFORE_SECOND_UPLOAD = 1000;
/** Milliseconds before the last reading is repeated: what was just uploaded may take a moment to be listed. */
const PAUSES_BEFORE_LAST_READING = [1000, 2000, 4000];

/** Undefined in a dry run that leaves something out. Throws UsageError where the service has another release of this version. */
export async function publish(options: PublishOptions): Promise<Published | undefined> {
  const { release, address } = options;
  const keys = await options.registry.keys.list(options.organization);
  const key = await findKey(options, keys);
  const present = await readPresent(options, keys);
  refuseOther(options, key.id, present);
  const plan = planPublishing(release, key.id, present);
  for (const text of findOddities(release, present)) options.warn(text);
  const version = await createWhatIsMissing(options, plan, key, present).catch((error: unknown) => {
    throw toRepeatable(error);
  });
  if (options.dryRun) {
    await uploadAll(options, plan, version);
    return version !== undefined && isNothing(plan) ? await conclude(options, version, key.id, false) : undefined;
  }
  if (version === undefined) throw new Error('a write that was no dry run gave nothing');
  const ended = await uploadAll(options, plan, version);
  const { failures } = ended;
  if (failures.length === 0) return await conclude(options, version, key.id, !isNothing(plan));
  const stopped = failures.map(({ error }) => error).filter(isSignal);
  if (stopped.length > 0) throw toInterrupted(stopped);
  const { version: latest, platforms, keys: registered } = await readState(options);
  const readiness = judgeVersion({ version: latest, platforms, keys: registered }, release.platforms);
  const failure = toFailure(`${toAddressText(address)}@${address.version}`, ended);
  const changed = plan.addProvider || plan.addKey || plan.addVersion || ended.wrote;
  return { version: latest, changed, readiness, keyId: key.id, failure };
}

/** The key that signed: the one that was given, else the one of the namespace. Throws UsageError. */
async function findKey(options: PublishOptions, registered: readonly SigningKey[]): Promise<PublicKey> {
  const { release, openPgp, organization } = options;
  const { key, signed, issuers } = release;
  const keys: PublicKey[] = [];
  for (const { armor, keyId } of registered) {
    // One that can't be read is none that signed.
    const read = await openPgp.readKeys(Buffer.from(armor)).catch(() => []);
    keys.push(...read.filter(({ id }) => id === keyId.toUpperCase()));
  }
  const same = key === undefined ? keys : keys.filter(({ id }) => id === key.id);
  if (key !== undefined && same.length === 0) return key;
  if (!same.some(({ ids }) => issuers.some((issuer) => ids.includes(issuer)))) {
    if (key !== undefined) {
      throw new UsageError(
        `the key ${key.id} that ${organization} has is an older one, without the subkey that signed`,
        {
          reasons: [`The signature is by ${issuers.join(', ')}.`],
          hint: 'Sign with a subkey that it has, or with another key. Nothing was sent.',
        },
      );
    }
    throw new UsageError(`${organization} has no signing key ${issuers.join(', ')}, which made the signature`, {
      code: 'no-key',
      hint: 'Give its public key with --public-key. Nothing was sent.',
    });
  }
  try {
    return await openPgp.verify(signed, same, options.now());
  } catch (error) {
    throw new UsageError(`${release.signature.name} ${error instanceof Error ? error.message : String(error)}`, {
      code: 'release',
      hint: 'Sign the release again. Nothing was sent.',
      cause: error,
    });
  }
}

async function readPresent(options: PublishOptions, keys: readonly SigningKey[]): Promise<Present> {
  const { registry, providers, organization, address, release } = options;
  const provider = await providers.find(organization, address, 'create');
  const none = { hasProvider: provider !== undefined, keys, version: undefined, platforms: [], sums: undefined };
  if (provider === undefined) return none;
  const found = await registry.versions.find(address);
  if (found === undefined) return none;
  const version = hideLinks(options, found);
  const platforms = await listPlatforms(options);
  const { sumsDownload } = version.links;
  const sums =
    version.hasSums && sumsDownload !== undefined
      ? await registry.uploads.read(sumsDownload, release.sums.name)
      : undefined;
  return { hasProvider: true, keys, version, platforms, sums };
}

function refuseOther({ release, address }: PublishOptions, keyId: string, present: Present): void {
  const text = `${toAddressText(address)}@${address.version}`;
  const differences = findDifferences(release, keyId, present);
  if (differences.length > 0) {
    throw new UsageError(`${text} is there already, and is another release`, {
      code: 'other-release',
      reasons: differences,
      hint: 'Publish a new version, or delete this one first. Nothing was changed.',
      next: [['orgctl', 'providers', 'delete', text]],
    });
  }
}

/** The version, as it is then; undefined in a dry run. */
async function createWhatIsMissing(
  options: PublishOptions,
  plan: Plan,
  key: PublicKey,
  present: Present,
): Promise<ProviderVersion | undefined> {
  const { registry, providers, organization, address, release } = options;
  if (plan.addProvider) {
    const find = () => providers.find(organization, address);
    await createOrFind(() => providers.create(organization, address), find);
  }
  if (plan.addKey) {
    const made = { keyId: key.id, armor: key.armor };
    await createOrFind(
      () => registry.keys.create(organization, made),
      () => registry.keys.find(organization, key.id),
    );
  }
  if (present.version !== undefined) return present.version;
  const wanted = { keyId: key.id, protocols: release.protocols };
  const version = await createOrFind(
    () => registry.versions.create(address, wanted),
    () => registry.versions.find(address),
  );
  return version === undefined ? undefined : hideLinks(options, version);
}

/** Another run may have been faster: the service then rejects what is there by now. */
async function createOrFind<T>(create: () => Promise<T>, find: () => Promise<T | object | undefined>): Promise<T> {
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 422) throw error;
    const found = await find();
    if (found === undefined) throw error;
    return found as T;
  }
}

interface Task extends Pick<Upload, 'file' | 'look'> {
  readonly label: string;
  /** Whether what has to be there first is there. */
  readonly isThere: boolean;
  /** What has to be there first. Gives the link; undefined where that is not known yet. */
  begin(): Promise<string | undefined>;
}

/** What went up, and what did not. */
interface Ended {
  readonly uploaded: number;
  /** Whether a file was sent, or a platform created. */
  readonly wrote: boolean;
  readonly failures: readonly FailedItem[];
  /** What was not tried, by its label. */
  readonly left: readonly string[];
}

async function uploadAll(options: PublishOptions, plan: Plan, version: ProviderVersion | undefined): Promise<Ended> {
  const { registry, dryRun } = options;
  const tasks = toTasks(options, plan, version);
  const underway = new Map<string, { readonly label: string; sent: number; readonly size: number }>();
  const failures: FailedItem[] = [];
  const left: string[] = [];
  let uploaded = 0;
  let wrote = false;
  let hasFailed = false;
  const run = async ({ label, file, isThere, begin, look }: Task): Promise<'tried' | 'left'> => {
    // Where not even the first one goes up, each further one would wait in vain.
    if (hasFailed && uploaded === 0) return 'left';
    const state = { label, sent: 0, size: file.size };
    underway.set(label, state);
    try {
      const link = await begin();
      wrote ||= !isThere;
      const isSent = await uploadFile(
        { file, link, look },
        {
          uploads: registry.uploads,
          organization: options.organization,
          dryRun,
          onSent(bytes) {
            state.sent = bytes;
            options.onProgress([...underway.values()]);
          },
          pause: () => options.sleep(PAUSE_BEFORE_SECOND_UPLOAD),
        },
      );
      wrote ||= isSent;
      uploaded += 1;
      return 'tried';
    } catch (error) {
      hasFailed = true;
      throw error;
    } finally {
      underway.delete(label);
    }
  };
  // In a dry run they are said in order.
  for await (const { item, outcome } of actOnEach(tasks, run, { atOnce: dryRun ? 1 : AT_ONCE })) {
    const { label } = item;
    if (outcome.kind === 'failed') failures.push({ item: label, error: outcome.error });
    else if (outcome.kind === 'done') left.push(...(outcome.value === 'left' ? [label] : []));
    else if (outcome.reason === undefined) left.push(label);
    else failures.push({ item: label, error: outcome.reason });
  }
  return { uploaded, wrote, failures, left };
}

function toTasks(options: PublishOptions, plan: Plan, version: ProviderVersion | undefined): readonly Task[] {
  const { registry, release, address } = options;
  const lookAtVersion = async () => hideLinks(options, await registry.versions.get(address));
  const ofVersion = (
    label: string,
    file: ReleaseFile,
    read: (found: ProviderVersion) => { readonly isThere: boolean; readonly link: string | undefined },
  ): Task => ({
    label,
    file,
    isThere: true,
    begin: async () => (version === undefined ? undefined : read(version).link),
    look: async () => read(await lookAtVersion()),
  });
  const sums = ofVersion('SHA256SUMS', release.sums, ({ hasSums, links }) => ({
    isThere: hasSums,
    link: links.sumsUpload,
  }));
  const signature = ofVersion('signature', release.signature, ({ hasSignature, links }) => ({
    isThere: hasSignature,
    link: links.signatureUpload,
  }));
  const platforms = plan.platforms.map(({ file, isThere }): Task => {
    const { os, arch } = file;
    const place = { ...address, os, arch };
    const look = async () => {
      const { hasFile, upload } = await registry.versions.getPlatform(place);
      hideAll(options, [upload]);
      return { isThere: hasFile, link: upload };
    };
    return {
      label: toPlatformText(file),
      file,
      isThere,
      look,
      async begin() {
        if (isThere) return undefined;
        const made = { sum: file.sum, filename: file.name };
        const created = await createOrFind(
          () => registry.versions.createPlatform(place, made),
          () => orUndefined(registry.versions.getPlatform(place)),
        );
        hideAll(options, [created?.upload]);
        return created?.upload;
      },
    };
  });
  return [...(plan.sums ? [sums] : []), ...(plan.signature ? [signature] : []), ...platforms];
}

function toFailure(text: string, { failures, uploaded, left }: Ended): OrgctlError {
  const reasons = [...failures.map(({ error }) => describeError(error)), ...listNotAttempted(left)];
  return toOneError(`${text} is not whole: ${joinNames(failures.map(({ item }) => item))} failed`, {
    failed: failures,
    isAll: uploaded === 0,
    reasons: reasons.map((reason) => `${reason}.`),
    hint: 'Run the same command again: it uploads what is missing.',
  });
}

/** Whatever happened to a write, running the same command again looks for it first. */
function toRepeatable(error: unknown): unknown {
  if (!(error instanceof OrgctlError)) return error;
  if (isSignal(error)) return toInterrupted([error]);
  const hint = 'Run the same command again: it looks for it, and does what is left.';
  return error.exit === 'outcome-unknown' ? reword(error, { hint }) : error;
}

/** A run that was stopped leaves work, which the next run does. */
function toInterrupted(errors: readonly OrgctlError[]): OrgctlError {
  // Nothing is said about writes that had not left.
  const reasons = errors.flatMap((error) => (error.cause === undefined ? [] : error.reasons));
  const [first] = errors.map(toSignal);
  if (first === undefined) throw new Error('nothing was stopped');
  return reword(first, { reasons, hint: 'Run the same command again: it does what is left.' });
}

/** All of it is there, as far as is known: read as Terraform reads it. */
async function conclude(
  options: PublishOptions,
  first: ProviderVersion,
  keyId: string,
  changed: boolean,
): Promise<Published> {
  const { release, address } = options;
  let version = first;
  let readiness: Readiness = { ready: true, missing: [] };
  for (const pause of [...PAUSES_BEFORE_LAST_READING, undefined]) {
    const { platforms, keys, ...latest } = await readState(options);
    version = latest.version;
    readiness = judgeVersion({ version, platforms, keys }, release.platforms);
    if (readiness.ready) readiness = judgeOffer(await findNotOffered(options));
    if (readiness.ready || pause === undefined) break;
    await options.sleep(pause);
  }
  const text = `${toAddressText(address)}@${address.version}`;
  const failure = readiness.ready
    ? undefined
    : new OrgctlError('incomplete', `${text} can't be used yet: ${readiness.missing.join(', ')}`, {
        hint: 'The service has all files. Look again in a minute with providers versions.',
      });
  return { version, changed, readiness, keyId, failure };
}

async function readState(options: PublishOptions) {
  const { registry, address, organization } = options;
  const [version, platforms, keys] = await Promise.all([
    registry.versions.get(address),
    listPlatforms(options),
    registry.keys.list(organization),
  ]);
  return { version: hideLinks(options, version), platforms, keys };
}

async function listPlatforms(options: PublishOptions) {
  const platforms = await options.registry.versions.listPlatforms(options.address);
  hideAll(
    options,
    platforms.map(({ upload }) => upload),
  );
  return platforms;
}

function hideLinks(options: Pick<PublishOptions, 'hide'>, version: ProviderVersion): ProviderVersion {
  hideAll(options, Object.values(version.links));
  return version;
}

function hideAll({ hide }: Pick<PublishOptions, 'hide'>, links: readonly (string | undefined)[]): void {
  hide(
    ...links.flatMap((link) =>
      link !== undefined && URL.canParse(link, 'http://localhost') ? findSecretParts(link) : [],
    ),
  );
}

/** Empty where the service does not let this token see it. */
async function findNotOffered(options: PublishOptions): Promise<readonly (Platform | undefined)[]> {
  const { registry, address, release } = options;
  try {
    if (!(await registry.installable.hasVersion(address, release.version))) return [undefined];
    const packages = await Promise.all(
      release.platforms.map(async (file) => ({
        file,
        found: await registry.installable.findPackage(address, release.version, file),
      })),
    );
    return packages.flatMap(({ file, found }) => {
      const isSame = found?.sum?.toLowerCase() === file.sum && found.filename === file.name && found.keys.length > 0;
      return isSame ? [] : [file];
    });
  } catch (error) {
    if (!(error instanceof ServiceError) || ![401, 403].includes(error.status)) throw error;
    options.warn(`your token can't read what Terraform reads (${error.status}): check with terraform init`);
    return [];
  }
}

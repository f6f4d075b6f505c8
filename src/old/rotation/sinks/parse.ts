import { resolve } from 'node:path';
import { UsageError } from '../../errors.ts';
import { findFileId } from '../../files/target.ts';
import { addToGroup, type Group } from '../../groups.ts';
import { ORGANIZATION_MARK, TEAM_MARK } from '../../names.ts';
import { createEnvFileSink } from './env-file.ts';
import { createExecSink } from './exec.ts';
import { createFileSink } from './file.ts';
import { createGithubOutputSink } from './github-output.ts';
import { fillPlace, SINK_FORMS, type Sink, type SinkKind, type SinkSurroundings } from './sink.ts';
import { createStdoutSink } from './stdout.ts';

/**
 * The sinks that the values of `--to` name, in their order but stdout last: what is printed cannot be taken back.
 * Throws UsageError, also where two of them are the same. Looks at no file.
 */
export function parseSinks(texts: readonly string[], surroundings: SinkSurroundings): readonly Sink[] {
  const { organization, team, platform } = surroundings;
  const holds = (mark: string): boolean => texts.some((text) => text.includes(mark));
  if (organization !== undefined && holds(ORGANIZATION_MARK)) checkName(organization, ORGANIZATION_MARK, platform);
  if (team !== undefined && holds(TEAM_MARK)) checkName(team, TEAM_MARK, platform);
  const isExecAlone = texts.every((text) => text.startsWith('exec:'));
  const parsed = texts.map((text) => parseSink(text, surroundings, isExecAlone));
  parsed.forEach((one, index) => {
    const same = parsed.slice(0, index).find((other) => isSame(one, other));
    if (same === undefined) return;
    const [first, second] = [same.name, one.name];
    const what = first === second ? `'${first}' is given twice` : `'${first}' and '${second}' are the same place`;
    throw new UsageError(what, { hint: 'Name each place once.' });
  });
  return [...parsed.filter(({ isLast }) => !isLast), ...parsed.filter(({ isLast }) => isLast)];
}

/**
 * The sinks of each organization, whose name stands for `{org}`, or why it can have none. Throws UsageError where two of them
 * have the same place, also by links. `texts`: checked by `checkPlaces`.
 */
export async function parseSinksOfEach(
  texts: readonly string[],
  organizations: readonly Pick<SinkSurroundings & { readonly organization: string }, 'organization' | 'team'>[],
  surroundings: SinkSurroundings,
): Promise<ReadonlyMap<string, readonly Sink[] | UsageError>> {
  const parsed = organizations.map(
    (marks) => [marks.organization, parseOrRefuse(texts, { ...surroundings, ...marks })] as const,
  );
  await refuseSharedPlaces(
    parsed.flatMap(([organization, sinks]) =>
      sinks instanceof UsageError ? [] : sinks.map((sink) => ({ sink, organization })),
    ),
  );
  return new Map(parsed);
}

interface Place {
  readonly sink: Sink;
  readonly organization: string;
}

/** Throws UsageError where two places are one: by their names, or by what they are on disk. */
async function refuseSharedPlaces(places: readonly Place[]): Promise<void> {
  const taken = new Map<string, Group<Place & { readonly id: string }>>();
  for (const place of places) {
    const { sink, organization } = place;
    const id = sink.file === undefined ? sink.name : await findFileId(sink.file.path);
    const same = taken.get(id.toLowerCase())?.find(
      (other) =>
        sharesKey(sink, other.sink) &&
        // A disk may take names for one that differ in case alone. One secret may be in both.
        (other.id === id || other.organization !== organization),
    );
    if (same !== undefined) throw toSharedError(same, place);
    addToGroup(taken, id.toLowerCase(), { ...place, id });
  }
}

function toSharedError(one: Place, other: Place): UsageError {
  const [first, second] = [one.sink.name, other.sink.name];
  if (one.organization === other.organization) {
    return new UsageError(`'${first}' and '${second}' are the same place`, { hint: 'Name each place once.' });
  }
  const where = first === second ? first : `${first} and ${second}`;
  return new UsageError(`${one.organization} and ${other.organization} would have the same place: ${where}`, {
    hint: `Write ${ORGANIZATION_MARK} so that each organization has a place of its own, and check for links.`,
  });
}

/** Throws UsageError for what is no place, and, without an `organization`, for one that several would share. */
export function checkPlaces(texts: readonly string[], surroundings: SinkSurroundings): void {
  const ofTeam = surroundings.team === undefined ? texts.find((text) => text.includes(TEAM_MARK)) : undefined;
  if (ofTeam !== undefined) {
    throw new UsageError(`${ofTeam} has ${TEAM_MARK}, and this token is of no team`, {
      hint: `Leave ${TEAM_MARK} out: it stands for the name of the team that a token is of.`,
    });
  }
  for (const text of surroundings.organization === undefined ? texts : []) {
    if (text === SINK_FORMS.stdout) {
      throw new UsageError('stdout takes the token of one organization, not of several', {
        hint: `Give each a place of its own: --to file:./${ORGANIZATION_MARK}/audit-token`,
      });
    }
    if (!text.includes(ORGANIZATION_MARK)) {
      throw new UsageError(`${text} has no ${ORGANIZATION_MARK}: every organization would use the same place`, {
        hint: `Write ${ORGANIZATION_MARK} where the name of the organization belongs.`,
      });
    }
  }
  parseSinks(texts, { organization: 'a', ...surroundings });
}

/** What no path and no command could mistake for anything but a name. */
const SAFE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
/** Windows opens a device of that name in every folder, whatever ending it has. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

function parseOrRefuse(texts: readonly string[], surroundings: SinkSurroundings): readonly Sink[] | UsageError {
  try {
    return parseSinks(texts, surroundings);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
}

/** Throws UsageError for a name that a path or a command could mistake for anything else. */
function checkName(name: string, mark: string, platform: NodeJS.Platform): void {
  const isDevice = platform === 'win32' && DEVICE.test(name);
  if (SAFE_NAME.test(name) && !isDevice) return;
  throw new UsageError(`'${name}' can't be a part of a place`, {
    hint: `Rotate it alone, with --org, to a place without ${mark}.`,
  });
}

type Parse = (rest: string, text: string, surroundings: SinkSurroundings, isExecAlone: boolean) => Sink;

const PARSERS: Readonly<Record<Exclude<SinkKind, 'stdout'>, Parse>> = {
  file: (rest, text, surroundings) => createFileSink(text, parsePath(rest, text, surroundings.cwd), surroundings),
  'env-file': parseEnvFile,
  exec: (rest, text, surroundings, isExecAlone) =>
    createExecSink(fillPlace(text, surroundings), rest, surroundings, isExecAlone),
  'github-output': (rest, text, surroundings) =>
    createGithubOutputSink(text, parseOutputName(text, rest), surroundings),
};

function parseSink(text: string, surroundings: SinkSurroundings, isExecAlone: boolean): Sink {
  if (text === SINK_FORMS.stdout) return createStdoutSink(text, surroundings);
  const [, kind = '', rest = ''] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  if (Object.hasOwn(PARSERS, kind)) {
    const parse = PARSERS[kind as keyof typeof PARSERS];
    if (kind === 'exec') return parse(rest, text, surroundings, isExecAlone);
    return parse(fillPlace(rest, surroundings), fillPlace(text, surroundings), surroundings, isExecAlone);
  }
  // A path alone, which has no colon.
  const meant =
    !text.includes(':') && ['/', '\\', '.'].some((mark) => text.includes(mark)) ? `Did you mean file:${text}? ` : '';
  throw new UsageError(`unknown place for the new token: ${text}`, {
    hint: `${meant}Places are ${Object.values(SINK_FORMS).join(', ')}.`,
  });
}

/** The absolute path in a value of `--to`, which `name` is for messages. Throws UsageError. */
function parsePath(text: string, name: string, cwd: string): string {
  if (text === '') throw new UsageError(`missing path: ${name}`, { hint: 'Add a path after the colon.' });
  if (text.includes('\0'))
    throw new UsageError(`'${name}' contains a NUL character`, { hint: 'Write the path without it.' });
  // Otherwise it would mean a folder that is called ~.
  if (/^~[^/\\]*(?:[/\\]|$)/.test(text)) {
    throw new UsageError(`'${name}': your shell did not replace ~ by your home folder`, {
      hint: `Use "$HOME" instead, or ./${text} for a file of that name.`,
    });
  }
  if (/[/\\]$/.test(text)) {
    throw new UsageError(`'${name}' is a folder`, { hint: 'Name a file in it.' });
  }
  return resolve(cwd, text);
}

function parseEnvFile(rest: string, text: string, surroundings: SinkSurroundings): Sink {
  const mark = rest.lastIndexOf('#');
  const key = rest.slice(mark + 1);
  if (mark < 0 || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(key)) {
    throw new UsageError(`'${text}' doesn't end in # and the name of a variable`, {
      hint: 'Write env-file:PATH#KEY. A name has letters, digits and _, and begins with a letter or _.',
    });
  }
  const path = parsePath(rest.slice(0, mark), text, surroundings.cwd);
  return createEnvFileSink(text, path, key, surroundings);
}

function parseOutputName(text: string, rest: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_-]*$/.test(rest)) return rest;
  throw new UsageError(`'${text}' doesn't name an output of a step`, {
    hint: 'Write github-output:NAME. A name has letters, digits, - and _, and begins with a letter or _.',
  });
}

function isSame(one: Sink, other: Sink): boolean {
  return (one.file?.path ?? one.name) === (other.file?.path ?? other.name) && sharesKey(one, other);
}

/** One file is one place, except for two keys of an env file. */
function sharesKey({ file: one }: Sink, { file: other }: Sink): boolean {
  return one?.key === undefined || other?.key === undefined || one.key === other.key;
}

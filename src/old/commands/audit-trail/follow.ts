import { join, resolve } from 'node:path';
import type { Cursor } from '../../audit-trail/cursor.ts';
import type { Delivery, FollowInput, Trail } from '../../audit-trail/follow.ts';
import { createPrinter, type OutputMemory } from '../../audit-trail/printer.ts';
import type { Context } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { openSpillFile } from '../../files/spill-file.ts';
import { RETENTION_TEXT } from '../../service/audit-trail.ts';
import type { Service } from '../../service/service.ts';
import { formatCount } from '../../text/count.ts';
import { parseWait } from '../../when.ts';
import { type Ago, ago, noteDates } from '../dates.ts';
import { file } from '../options.ts';
import { flag, text, valued } from '../param.ts';
import { verb } from '../verb.ts';
import { AUDIT_TRAIL_COLUMNS } from './columns.ts';
import { checkOwner, findAsked, refuseReader, SAME_ANSWER, UNCHECKED } from './reader.ts';

interface Input {
  readonly cursor: string | undefined;
  readonly once: boolean;
  /** Milliseconds. */
  readonly interval: number;
  readonly since: Ago | undefined;
  readonly to: string | undefined;
}

const INTERVAL = '60s';
const SHORTEST_INTERVAL = '1s';

export const follow = verb({
  name: 'audit-trail follow',
  help: 'Print every event once, oldest first, also over several runs',
  effect: 'reads',
  options: {
    cursor: file(
      '--cursor <file>',
      'Remember in this file how far the trail was read, and continue from there',
      'Name a file, such as --cursor ./acme.json.',
    ),
    once: flag('--once', 'Print what is new, then end (default: run until interrupted)'),
    interval: valued(
      '--interval <duration>',
      `Time between two readings (default ${INTERVAL}, at least ${SHORTEST_INTERVAL})`,
      parseInterval,
    ),
    to: text('--to <exec:COMMAND>', 'Pass events to this command, as ndjson on stdin, up to 1,000 at a time', {
      complete: [{ word: 'exec:', description: 'A command' }],
    }),
    since: ago('--since <ago>', 'Where to begin without a cursor: 2d, 12h, a date, or an instant with time zone'),
  },
  examples: ['orgctl audit-trail follow --cursor ./acme.json --once -o ndjson >> audit.ndjson'],
  columns: AUDIT_TRAIL_COLUMNS,
  async run(context, { interval = parseInterval(INTERVAL, '--interval'), ...rest }) {
    const { once, cursor, since } = rest;
    if (once && cursor === undefined && since === undefined) {
      throw new UsageError('--once needs --cursor or --since', {
        hint: 'With --cursor <file> each run goes on where the last one ended; with --since 1d it prints one day.',
      });
    }
    noteDates(context, since);
    await followAuditTrail(context, { ...rest, interval });
  },
});

function parseInterval(given: string, name: string): number {
  const interval = parseWait(given, name);
  if (interval >= parseWait(SHORTEST_INTERVAL, name)) return interval;
  throw new UsageError(`${name}: ${given} is too short`, { hint: `The shortest is ${SHORTEST_INTERVAL}.` });
}

async function followAuditTrail(context: Context, input: Input): Promise<void> {
  const { identity, screen, services, places } = context;
  const { host, interrupts } = places;
  // Loaded here: list does without the hash and the lock.
  const [{ follow: followTrail }, { createForeign, withCursor }, { toTemporaryPath }] = await Promise.all([
    import('../../audit-trail/follow.ts'),
    import('../../audit-trail/cursor.ts'),
    import('../../files/replace-file.ts'),
  ]);
  const path = input.cursor === undefined ? undefined : resolve(host.cwd, input.cursor);
  // Beside the cursor, where there is room for what is private; else where temporary files are.
  const toSpillPath = (unique: string): string => toTemporaryPath(path ?? join(host.temporaryFolder, 'events'), unique);
  const memory: OutputMemory = { last: undefined };
  const delivery = await createDelivery(context, input, memory);
  const owner = { service: identity.serviceOrigin(), organization: findOrganization(context) };
  const act = async (cursor: Cursor | undefined): Promise<void> => {
    memory.last = cursor?.output;
    try {
      let trail: { readonly service: Service; readonly trail: Trail } | undefined;
      const progress = screen.progress;
      let line: ReturnType<typeof progress> | undefined;
      await followTrail(toEngineInput(input), {
        now: host.now,
        sleep: host.sleep,
        signal: interrupts.signal,
        defer: (act, grace) => interrupts.defer(act, { grace }),
        note: screen.note,
        warn: screen.warn,
        canTokenChange: services.canTokenChange,
        async open() {
          const service = await services.renewed();
          if (trail?.service !== service) {
            const say = (): void => {
              if (path === undefined || trail !== undefined) return;
              sayStart(context, path, cursor?.position !== undefined, input);
            };
            await checkToken(context, service, cursor, say);
            trail = { service, trail: createTrail(context, service) };
          }
          return trail.trail;
        },
        openSpillFile: () => openSpillFile(toSpillPath(places.uniqueName())),
        cursor: cursor && {
          position: cursor.position,
          write: (position) => (services.dryRun ? undefined : cursor.write(position, memory.last)),
        },
        delivery,
        onProgress(count) {
          if (count === undefined) line?.stop();
          else {
            line ??= progress('Reading audit events');
            line.update(`Reading audit events: ${formatCount(count)}`);
          }
          if (count === undefined) line = undefined;
        },
        noteEmpty: () => screen.noteAtTerminal('No new events.'),
        refuseOther() {
          throw createForeign(path ?? '', 'another organization', 'the one of this token');
        },
      });
    } finally {
      // What a reader has not taken within its time would keep the process.
      if (interrupts.signal.aborted) host.abandonStdout();
    }
  };
  if (path === undefined) return await act(undefined);
  const lock = { now: host.now, sleep: host.sleep, signal: interrupts.signal, pid: host.pid };
  const lockFolder = join(places.stateDirectory(), 'cursors');
  await withCursor(path, owner, { ...lock, uniqueName: places.uniqueName, lockFolder }, act);
}

function toEngineInput({ once, interval, since, cursor }: Input): FollowInput {
  return { once, interval, start: since?.at ?? (cursor === undefined ? 'now' : 'all') };
}

/** Undefined where the token alone says which one it is. */
function findOrganization({ identity }: Context): string | undefined {
  try {
    return identity.organization();
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

function sayStart({ screen, services }: Context, path: string, exists: boolean, { since }: Input): void {
  if (exists && since !== undefined) screen.note(`${path} exists, so --since is not used.`);
  if (!exists && since === undefined) {
    screen.note(`${path} doesn't exist yet: reading everything that the service keeps (${RETENTION_TEXT}).`);
  }
  if (services.dryRun) screen.note(`${path} stays as it is: this is a dry run.`);
}

/** Says where the token does not show whose trail it reads. */
async function checkToken(
  context: Context,
  service: Service,
  cursor: Cursor | undefined,
  sayStart: () => void,
): Promise<void> {
  const { screen } = context;
  const asked = findAsked(context);
  const organization = cursor === undefined ? asked : cursor.organization;
  if (organization === undefined) return sayStart();
  const caller = await checkOwner(context, service, organization, sayStart);
  if (caller.organization !== undefined || cursor?.position !== undefined) return;
  if (asked !== undefined) return screen.warn(UNCHECKED);
  screen.note(`The service doesn't say whose audit trail this token reads; the new cursor is for ${organization}.`);
}

function createTrail(context: Context, service: Service): Trail {
  let isChecked = false;
  return {
    service,
    async checkReader(isFirst) {
      if (isChecked) return;
      const caller = await service.identifyCaller();
      refuseReader(caller, service, context);
      isChecked = true;
      if (isFirst && caller.kind === 'unknown') context.screen.note(`No events. ${SAME_ANSWER}`);
    },
  };
}

async function createDelivery(context: Context, { to, once, cursor }: Input, memory: OutputMemory): Promise<Delivery> {
  const { screen, places, services } = context;
  const { host, interrupts } = places;
  if (to === undefined) {
    const isTerminal = host.stdout.isTTY === true;
    const { stdoutDescriptor: descriptor, platform } = host;
    const place = { isTerminal, isKept: cursor !== undefined, descriptor, platform, memory };
    return createPrinter({ output: await screen.output(), columns: AUDIT_TRAIL_COLUMNS, once, ...place });
  }
  const { format } = screen.requested;
  if (format !== undefined && (!format.forPrograms || format.isDocument)) {
    throw new UsageError(`use --to or -o ${format.name}, not both`, { hint: 'The command gets ndjson.' });
  }
  const { env, platform, cwd, sendSignal } = host;
  const { createExec } = await import('../../audit-trail/exec.ts');
  return await createExec(to, {
    env,
    platform,
    cwd,
    sendSignal,
    ...screen.commandOutput,
    createRedactor: () => screen.secrets.createRedactor(),
    signal: interrupts.signal,
    toLines: await screen.createLines(AUDIT_TRAIL_COLUMNS),
    onPlanned: services.dryRun
      ? (count) => screen.note(`Would pass ${count} event${count === 1 ? '' : 's'} to ${to}`)
      : undefined,
  });
}

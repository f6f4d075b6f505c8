import type { Context } from '../../context/context.ts';
import { OrgctlError } from '../../errors.ts';
import { isSignal } from '../../interrupts.ts';
import { foldName } from '../../names.ts';
import { createFailures } from '../../organizations/failures.ts';
import { type FoundEach, findEach } from '../../organizations/side-by-side.ts';
import { toOrganization } from '../../resources/organization.ts';
import { isNotFound } from '../../rotation/current-token.ts';
import { type Preview, previewRotation, rotate } from '../../rotation/rotate.ts';
import { checkPlacesOfSeveral, parseSinksOfSeveral } from '../../rotation/sinks/parse.ts';
import type { Sink, SinkSurroundings } from '../../rotation/sinks/sink.ts';
import type { RotationInput, RotationResult, RotationWorld } from '../../rotation/types.ts';
import type { Service } from '../../service/service.ts';
import { countOrganizations, countThings } from '../../text/count.ts';
import { shortenList } from '../../text/shorten.ts';
import { AUTHENTICATION_TOKENS } from '../../wire/resources.ts';
import { doJob, type JobResult } from '../bulk.ts';
import { ROTATIONS_COLUMNS, type RotationRow } from './columns.ts';
import { describeToken, type Replaced } from './describe.ts';
import {
  findVerification,
  openRotation,
  planCreation,
  type RotateInput,
  toSurroundings,
  warnOfEphemeralState,
} from './open-rotation.ts';

interface Input extends RotateInput {
  /** Also where there is no token yet. */
  readonly createMissing: boolean;
}

/** What is to be done about an organization, found out before the first token is replaced. */
interface Plan {
  readonly rotation: RotationInput;
  readonly world: RotationWorld;
  readonly service: Service;
  /** Undefined where it has no token, and none is to be created. */
  readonly preview: Preview | undefined;
  readonly replaced: Replaced;
  /** Whether an unfinished rotation is to be brought to its end. */
  readonly isOpen: boolean;
  /** What its rotation came to, once there is a result. */
  result(): Shown | undefined;
}

interface Shown {
  readonly result: RotationResult;
  /** Whether this run created the token, and does not only deliver one. */
  readonly isNew: boolean;
}

/**
 * Rotates the tokens of several organizations: all are planned and checked before the first is replaced, and then they are
 * rotated one after the other, each as if it were alone. What fails before is a row. A token that was not delivered ends the
 * run: what keeps one from its place may keep all.
 */
export async function rotateSeveral(context: Context, input: Input): Promise<void> {
  const { screen, services, places } = context;
  const surroundings: SinkSurroundings = {
    ...toSurroundings(context),
    // Not among the places.
    toStdoutText: () => '',
  };
  checkPlacesOfSeveral(input.to, surroundings);
  (await screen.output()).checkFields(ROTATIONS_COLUMNS);
  const verifyCommand = await findVerification(input.verifyCommand, surroundings);
  const named = await context.organizations.names();
  const reach = await context.organizations.reach();
  // As the service spells them.
  const organizations = named.map((name) => reach?.get(foldName(name)) ?? name);
  warnOfEphemeralState(context);
  const sinks = await parseSinksOfSeveral(input.to, organizations, surroundings);
  const plans = await findEach(organizations, async (organization) => {
    const own = sinks.get(organization);
    if (own === undefined || 'refusal' in own) throw own?.refusal;
    const parts = { sinks: own.sinks, verifyCommand, isReached: reach?.has(foldName(organization)) ?? true };
    return await planRotation(toContextOf(context, organization), input, parts);
  });
  if (services.dryRun) return await reportPlans(context, plans);
  const needed = plans.flatMap(({ value }) => (value !== undefined && isNeeded(value) ? [value] : []));
  if (needed.length > 0) await screen.confirm(toQuestion(needed, places.host.now()));
  await doJob(context, {
    items: plans,
    columns: ROTATIONS_COLUMNS,
    doing: 'Rotating',
    singly: true,
    things: countOrganizations(plans.length),
    isCounted: true,
    again: 'Run the same command again: it finishes what was begun, and goes on with the others.',
    name: ({ organization }) => organization,
    organizationOf: ({ organization }) => organization,
    refusal: ({ error }) => error,
    known: ({ organization, value }) =>
      value === undefined || isNeeded(value) ? undefined : toRow(organization, value, { result: toIdleResult(value) }),
    async act({ organization, value }) {
      if (value === undefined) return undefined;
      await rotatePlanned(value);
      const result = toDoneResult(value.result());
      return toRow(organization, value, { result });
    },
    toRow: ({ organization, value }, undone) => toRow(organization, value, undone),
  });
  places.interrupts.signal.throwIfAborted();
}

/** The context of one of them, whose notes say so. */
function toContextOf(context: Context, organization: string): Context {
  const { screen } = context;
  const warned = new Set<string>();
  return {
    ...context.of(organization),
    screen: {
      ...screen,
      // At a terminal a line counts.
      note: (text) => {
        if (!screen.canAsk()) screen.note(`${organization}: ${text}`);
      },
      warn: (text) => {
        // What the plan found, the rotation finds again.
        if (!warned.has(text)) screen.warn(`${organization}: ${text}`);
        warned.add(text);
      },
    },
  };
}

/** Throws what keeps this organization's token from being rotated. Changes nothing. */
async function planRotation(
  context: Context,
  input: Input,
  {
    isReached,
    ...parts
  }: {
    readonly sinks: readonly Sink[];
    readonly verifyCommand: RotationWorld['verifyCommand'];
    readonly isReached: boolean;
  },
): Promise<Plan> {
  let shown: Shown | undefined;
  const { rotation, world, token, service } = await openRotation(context, input, {
    ...parts,
    printsResult: false,
    onResult: () => undefined,
    async show(result, delivery) {
      shown = { result, isNew: delivery?.isNew === true };
    },
  });
  const { open, last } = world.journal.read();
  const current = await token.read();
  const plan = { rotation, world, service, isOpen: open !== undefined, result: () => shown };
  const unseen = token.unseen();
  if (open === undefined && unseen !== undefined && !(input.createMissing && isReached)) {
    if (!isNotFound(unseen) || !isReached) throw unseen.refusal;
    if (last !== undefined) throw toGone(rotation.organization);
    return { ...plan, preview: undefined, replaced: 'nothing' };
  }
  // The rotation itself says what it meets.
  const preview = await previewRotation(rotation, { ...world, note: () => undefined, warn: () => undefined }, current);
  return { ...plan, preview, replaced: token.shown() };
}

function toGone(organization: string): OrgctlError {
  return new OrgctlError(
    'not-found',
    `${organization}'s audit trail token, which was delivered from here, is not shown`,
    {
      code: 'token-gone',
      reasons: ['It was deleted, you lack permission, or this service does not show its tokens.'],
      hint: 'To create one all the same, add --create-missing.',
    },
  );
}

function isNeeded({ preview, isOpen }: Plan): boolean {
  return isOpen || (preview !== undefined && preview.unchanged === undefined);
}

/** A signal that came while it ran takes effect after it: what is done is done. */
async function rotatePlanned({ rotation, world, result }: Plan): Promise<void> {
  try {
    await rotate(rotation, world);
  } catch (error) {
    if (!isSignal(error) || result() === undefined) throw error;
  }
}

function toIdleResult({ preview }: Plan): RotationRow['result'] {
  return preview === undefined ? 'none-or-not-permitted' : 'unchanged';
}

function toDoneResult(shown: Shown | undefined): RotationRow['result'] {
  if (shown?.result.changed !== true) return 'unchanged';
  return shown.isNew ? 'rotated' : 'delivered';
}

function toRow(
  organization: string,
  plan: Plan | undefined,
  more: Pick<RotationRow, 'error' | 'result'>,
): JobResult<RotationRow> {
  const result = plan?.result()?.result ?? plan?.preview?.unchanged;
  const { organization: _name, id, ...facts } = result ?? { organization, id: '' };
  return {
    resource: { type: AUTHENTICATION_TOKENS, id: id === '' ? null : id },
    extra: { organization: toOrganization(organization), changed: false, ...more, ...facts },
  };
}

function toQuestion(needed: readonly Plan[], now: number) {
  const lines = needed.map(({ rotation: { organization }, replaced, isOpen }) => {
    if (isOpen) return `${organization}: finishes an unfinished rotation`;
    if (replaced === 'nothing') return `${organization}: has none, one is created`;
    const token = replaced === undefined ? '' : describeToken(replaced, now);
    return token === '' ? organization : `${organization}: ${token}`;
  });
  const [only] = needed.length === 1 ? needed : [];
  const which = only === undefined ? `these ${countOrganizations(needed.length)}` : only.rotation.organization;
  return {
    question: `Replace the audit trail ${only === undefined ? 'tokens' : 'token'} of ${which}?`,
    consequences: ['The current tokens stop working at once.', ...shortenList(lines)],
  };
}

/** What would be done, organization by organization. Throws what keeps some from being rotated. */
async function reportPlans(context: Context, plans: readonly FoundEach<Plan>[]): Promise<void> {
  const { screen } = context;
  const failures = createFailures(plans.length);
  for (const { organization, value, error } of plans) {
    if (error !== undefined) failures.add(organization, error);
    else if (value.preview === undefined)
      screen.note(`${organization} has no audit trail token, or none that you can see.`);
    else {
      const { preview } = value;
      if (value.isOpen) screen.note(`${organization}: this would begin with what an unfinished rotation left.`);
      await planCreation(context, { ...value, preview });
      screen.note(`${organization}: checked: ${preview.checked.join(', ')}`);
    }
  }
  const count = plans.filter(({ value }) => value !== undefined && isNeeded(value)).length;
  screen.note(`${countThings(count, 'token', 'tokens')} would be replaced or created.`);
  failures.refuse();
}

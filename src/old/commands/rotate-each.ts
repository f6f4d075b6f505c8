import type { Context } from '../context/context.ts';
import { OrgctlError, reword, UsageError } from '../errors.ts';
import type { Asked } from '../input/confirmations.ts';
import { isSignal } from '../interrupts.ts';
import { foldName } from '../names.ts';
import { onceEach } from '../once.ts';
import { findInEach } from '../organizations/organizations.ts';
import { toOrganization } from '../resources/organization.ts';
import { isNotFound } from '../rotation/current-token.ts';
import type { RetiringToken } from '../rotation/journal.ts';
import { toName } from '../rotation/names.ts';
import { type Preview, previewRotation, rotate } from '../rotation/rotate.ts';
import { checkPlaces, parseSinksOfEach } from '../rotation/sinks/parse.ts';
import { type Sink, type SinkSurroundings, shortenName } from '../rotation/sinks/sink.ts';
import type { DeliveryReport, RotationInput, RotationResult, RotationWorld } from '../rotation/types.ts';
import { countOrganizations, countThings, describeThese } from '../text/count.ts';
import { shortenList } from '../text/shorten.ts';
import { toUtc } from '../text/time.ts';
import {
  describeCreation,
  describeDeletion,
  describeReplacement,
  describeRetired,
  describeRotation,
  describeToken,
  describeUnchanged,
  describeUnfinished,
  describeUnverified,
  type Replaced,
  toReplacementQuestion,
} from '../tokens/describe.ts';
import { toKnown } from '../tokens/not-found.ts';
import {
  findVerification,
  openRotation,
  type RotateInput,
  toSurroundings,
  warnOfEphemeralState,
} from '../tokens/open-rotation.ts';
import type { RotatedToken } from '../tokens/token-service.ts';
import type { WhichToken } from '../tokens/which-token.ts';
import { AUTHENTICATION_TOKENS } from '../wire/resources.ts';
import { doJob, type JobResult } from './bulk.ts';
import { readFromSetting } from './from-setting.ts';
import { type RotationColumns, type RotationFacts, type RotationRow, toRotationFacts } from './rotation-columns.ts';
import { refuseMissingSecret } from './secret-output.ts';

interface Input extends RotateInput {
  /** Also where there is no token yet. */
  readonly createMissing: boolean;
}

/** Which token of each organization. */
export interface Choice {
  /** In the context of one of them. Throws where it has no such team. */
  find(context: Context): Promise<WhichToken>;
  /** Whether it may be the token of a team, whose name stands for `{team}` in a place. */
  readonly isOfTeam: boolean;
  readonly columns: RotationColumns;
}

/** What is to be done about an organization, found out before the first token is replaced. */
interface Plan {
  readonly rotation: RotationInput;
  readonly world: RotationWorld;
  readonly token: RotatedToken;
  /** Undefined where it has no token, and none is to be created, and where one is rotated alone. */
  readonly preview: Preview | undefined;
  readonly replaced: Replaced;
  /** Whether an unfinished rotation is to be brought to its end. */
  readonly isOpen: boolean;
  /** Whether that one has sent its request, so that the current token may be its own. */
  readonly isBegun: boolean;
  /** What its rotation came to, once there is a result. */
  result(): Shown | undefined;
}

/** What is known of an organization before its plan. */
interface Known extends Pick<RotationInput, 'sinks'>, Pick<RotationWorld, 'verifyCommand'> {
  readonly isOne: boolean;
  readonly isReached: boolean;
  readonly which: WhichToken;
}

interface Shown {
  readonly result: RotationResult;
  /** Whether this run created the token, and does not only deliver one. */
  readonly isNew: boolean;
}

/** Throws UsageError for what is no place, whatever the token. */
export function checkPlacesOf(context: Context, texts: readonly string[]): void {
  const toStdoutText = (secret: string): string => secret;
  checkPlaces(texts, { ...toSurroundings(context), organization: 'a', team: 'a', toStdoutText });
}

/**
 * Rotates the token of each organization: all are planned and checked before the first is replaced, and then they are rotated
 * one after the other, each as if it were alone. Of several, what fails before is a row. A token that was not delivered ends
 * the run: what keeps one from its place may keep all.
 */
export async function rotateEach(context: Context, choice: Choice, input: Input): Promise<void> {
  const { identity, organizations, screen, services, places } = context;
  const { isOne } = organizations;
  const printer = await openPrinter(context, choice, input);
  const surroundings: SinkSurroundings = {
    ...toSurroundings(context),
    ...(isOne ? { organization: identity.organization() } : {}),
    toStdoutText: printer.toText,
  };
  const check = (): void => checkPlaces(input.to, { ...surroundings, ...(choice.isOfTeam ? { team: 'a' } : {}) });
  const { value, source } = identity.settings.to;
  if (input.to === value) readFromSetting('to', source, check);
  else check();
  const verifyCommand = await findVerification(input.verifyCommand, surroundings);
  const named = await organizations.names();
  const reach = isOne ? undefined : await organizations.reach();
  // As the service spells them.
  const names = named.map((name) => reach?.get(foldName(name)) ?? name);
  const contextOf = (organization: string): Context => (isOne ? context : toContextOf(context, organization));
  const chosen = await findInEach(organizations, (name) => choice.find(contextOf(name)), names);
  const marks = chosen.flatMap(({ organization, value }) =>
    value === undefined ? [] : [toMarks(organization, value)],
  );
  const sinks = await parseSinksOfEach(input.to, marks, surroundings);
  warnOfEphemeralState(context);
  const find = async (organization: string): Promise<Plan> => {
    const { value: which, error } = chosen.find((each) => each.organization === organization) ?? {};
    if (which === undefined) throw error;
    const own = sinks.get(organization);
    if (own === undefined || own instanceof UsageError) throw own;
    const isReached = reach?.has(foldName(organization)) ?? true;
    const known = { isOne, isReached, which, sinks: own, verifyCommand };
    return await planRotation(contextOf(organization), input, printer, known);
  };
  const plans = await findInEach(organizations, find, names);
  const [only] = plans;
  if (services.dryRun && isOne && only?.value !== undefined) return await planAlone(context, only.value, printer);
  const needed = plans.flatMap(({ value }) => (value !== undefined && isNeeded(value) ? [value] : []));
  // That old tokens are deleted was said when they were kept.
  const replaced = needed.filter((plan) => plan.isBegun || isReplaced(plan));
  const now = places.host.now();
  if (isOne) await confirmAlone(context, replaced, now);
  else if (replaced.length > 0) await screen.confirm('rotate several', toQuestion(replaced, now));
  if (isOne && only?.value !== undefined) {
    const plan = only.value;
    await rotate(plan.rotation, plan.world, plan.preview?.seen)
      .catch((error: unknown) => {
        throw toStopped(error, plan);
      })
      .finally(() => sayNext(context, plan));
    return await sayOtherMeaning(plan);
  }
  await doJob(context, {
    items: plans,
    columns: choice.columns.each,
    doing: 'Rotating',
    singly: true,
    things: countOrganizations(plans.length),
    isCounted: !services.dryRun,
    again: 'Run the same command again: it finishes what was begun, and goes on with the others.',
    name: ({ organization }) => organization,
    organizationOf: ({ organization }) => organization,
    refusal: ({ error }) => error,
    known: ({ organization, value }) =>
      value === undefined || isNeeded(value) ? undefined : toRow(organization, value, { result: toIdleResult(value) }),
    async act({ organization, value }) {
      if (value === undefined) return undefined;
      if (services.dryRun) return await planOneOf(context, value);
      await rotatePlanned(value);
      const result = toDoneResult(value.result());
      return toRow(organization, value, { result });
    },
    toRow: ({ organization, value }, undone) => toRow(organization, value, undone),
  });
  if (services.dryRun) screen.note(`${countThings(replaced.length, 'token', 'tokens')} would be replaced or created.`);
  places.interrupts.signal.throwIfAborted();
}

type Printer = Awaited<ReturnType<typeof openPrinter>>;
type WithNoun = Pick<RotationInput, 'noun'>;

/** How a result is printed, and the secret where the sink is stdout. Throws UsageError where that can't be. */
async function openPrinter({ organizations, screen, places }: Context, { columns }: Choice, input: Input) {
  const printsSecret = organizations.isOne && input.to.includes('stdout');
  // One object is printed that holds the secret.
  const printsResult = printsSecret && screen.requested.format?.isDocument === true;
  // What the secret is printed on cannot hold the result as well.
  const output = await screen.output(printsSecret && !printsResult ? 'stderr' : 'stdout');
  if (printsResult) refuseMissingSecret(output);
  output.checkFields(organizations.isOne ? columns.one : columns.each);
  const inSentences = output.format.forPeople && screen.requested.fields === undefined;
  let result: RotationResult | undefined;
  return {
    printsResult,
    toText: (secret: string) =>
      printsResult ? output.toJson({ ...(result && toRotationFacts(result)), token: secret }, secret) : `${secret}\n`,
    onResult(final: RotationResult): void {
      result = final;
    },
    async show(final: RotationResult, delivery: DeliveryReport | undefined, { noun }: WithNoun): Promise<void> {
      const conditions = { ...input, noun };
      if (!inSentences && delivery === undefined) screen.note(describeUnchanged(final, conditions, places.host.now()));
      if (!inSentences && final.changed && final.verified === null) screen.warn(describeUnverified(final));
      const sentences = (_record: object, now: number) => describeRotation(final, delivery, conditions, now);
      const isPrinted = printsResult && final.changed;
      if (!inSentences) noteBeside(screen, final, delivery, noun);
      if (!isPrinted) await output.one({ ...columns.one, sentences }, toRotationFacts(final));
    },
    /** In a dry run. */
    async showPlanned(record: RotationFacts): Promise<void> {
      await output.changed(columns.one, {
        resource: { type: AUTHENTICATION_TOKENS, id: null },
        record,
        extra: {},
      });
    },
  };
}

/** What a row does not say. */
function noteBeside(
  { note }: Pick<Context['screen'], 'note'>,
  result: RotationResult,
  delivery: DeliveryReport | undefined,
  noun: string,
): void {
  if (delivery?.isFirst === true) note(`${describeCreation(result, noun, true)}.`);
  for (const { text } of describeRetired(result)) note(text);
}

/** The context of one of them, whose notes say so. */
function toContextOf(context: Context, organization: string): Context {
  const { screen } = context;
  return {
    ...context.of(organization),
    screen: {
      ...screen,
      // At a terminal a line counts.
      note: (text) => {
        if (!screen.canAsk()) screen.note(`${organization}: ${text}`);
      },
      // What the plan found, the rotation finds again.
      warn: onceEach((text) => screen.warn(`${organization}: ${text}`)),
    },
  };
}

function toMarks(organization: string, which: WhichToken) {
  return { organization, ...(which.kind === 'team' ? { team: which.team.name } : {}) };
}

/** Where the next command finds its token, when this one has replaced its own. */
function sayNext({ identity, screen }: Context, { rotation, result, token }: Plan): void {
  const { result: { changed = false, retired = [] } = {} } = result() ?? {};
  const own = retired.find((old) => (old.deleted || old['kept-until'] !== undefined) && token.asks(old.id) !== 'no');
  if (own === undefined ? token.asks() === 'no' : !(own.deleted || changed)) return;
  const choice = identity.isSandbox ? undefined : identity.findToken();
  const source = choice?.found === true ? ` (${choice.source})` : '';
  const until = own?.['kept-until'];
  const next =
    until === undefined
      ? 'deleted: the next command must take its token'
      : `kept until ${toUtc(Date.parse(until))}: by then commands must take their token`;
  const places = rotation.sinks.map(describePlace).join(', or ');
  const verb = token.asks(own?.id) === 'yes' ? 'is' : 'may be the old one, which is';
  screen.warn(`the token that asked${source} ${verb} ${next} from ${places}`);
}

/** Where a secret is once it was delivered. */
function describePlace({ file, kind, name }: Sink): string {
  if (file !== undefined) return file.key === undefined ? file.path : `${file.key} in ${file.path}`;
  return kind === 'exec' ? `where ${shortenName(name)} put it` : name;
}

/** Throws what keeps this organization's token from being rotated. Changes nothing. */
async function planRotation(
  context: Context,
  input: Input,
  printer: Printer,
  { isOne, isReached, which, ...ends }: Known,
): Promise<Plan> {
  let shown: Shown | undefined;
  const { rotation, world, token } = await openRotation(context, which, input, {
    ...ends,
    printsResult: printer.printsResult,
    onResult: printer.onResult,
    async show(result, delivery) {
      shown = { result, isNew: delivery?.isNew === true };
      if (isOne) await printer.show(result, delivery, rotation);
      else noteBeside(context.screen, result, delivery, rotation.noun);
    },
  });
  const { open, last } = world.journal.read();
  const isOpen = open !== undefined;
  const isBegun = isOpen && open.phase !== 'preflight';
  const plan = {
    rotation,
    world,
    token,
    preview: undefined,
    replaced: undefined,
    isOpen,
    isBegun,
    result: () => shown,
  };
  // Alone it has nothing to wait for but an answer: the rotation itself looks.
  const { dryRun } = context.services;
  const isBeside = token.beside !== undefined;
  if (isOne && !dryRun && !isBeside && (context.identity.optionGiven('yes') || !context.screen.canAsk())) return plan;
  const current = await token.read();
  const unseen = token.unseen();
  if (!isOpen && unseen !== undefined && !(input.createMissing && isReached)) {
    if (!isNotFound(unseen) || !isReached) throw unseen.refusal;
    if (last !== undefined) throw toGone(rotation);
    return { ...plan, replaced: 'nothing' };
  }
  if (!isOpen && isBeside && current.kind === 'absent' && !input.createMissing) {
    if (last !== undefined) throw toGone(rotation);
    if (isOne) throw toMissing(rotation);
    return { ...plan, replaced: 'nothing' };
  }
  // The rotation itself says what it meets.
  const heard = dryRun && isOne ? world : { ...world, note: () => undefined, warn: () => undefined };
  const preview = await previewRotation(rotation, heard, current);
  return { ...plan, preview, replaced: token.shown() };
}

function toMissing(which: Pick<RotationInput, 'noun' | 'organization'>): OrgctlError {
  return new OrgctlError('not-found', `${toName(which)} does not exist, or you can't see it`, {
    hint: 'See which there are, or add --create-missing to create one.',
    next: [['orgctl', 'tokens', 'list']],
  });
}

function toGone(which: Pick<RotationInput, 'noun' | 'organization'>): OrgctlError {
  return new OrgctlError('not-found', `${toName(which)}, which was delivered from here, is not shown`, {
    code: 'token-gone',
    reasons: ['It was deleted, you lack permission, or this service does not show its tokens.'],
    hint: 'To create one all the same, add --create-missing.',
  });
}

/** Whether there is anything to do, and be it to delete an old token that was kept. */
function isNeeded(plan: Plan): boolean {
  return plan.isOpen || isReplaced(plan) || (plan.preview?.deletions.now ?? []).length > 0;
}

function isReplaced({ preview }: Plan): boolean {
  return preview !== undefined && preview.unchanged === undefined;
}

/** Asked last: from the request to the end of the delivery nothing stands between. */
async function sayOtherMeaning({ token, result }: Pick<Plan, 'token' | 'result'>): Promise<void> {
  const { isNew = false, result: { id } = {} } = result() ?? {};
  if (isNew) await token.sayOtherMeaning(id);
}

/** A signal that came while it ran takes effect after it: what is done is done. */
async function rotatePlanned({ rotation, world, token, preview, result }: Plan): Promise<void> {
  try {
    await rotate(rotation, world, preview?.seen);
    await sayOtherMeaning({ token, result });
  } catch (error) {
    if (!isSignal(error) || result() === undefined) throw error;
  }
}

/** What is true after a signal that ended a rotation. */
function toStopped(error: unknown, { result }: Plan): unknown {
  if (!(error instanceof OrgctlError) || !isSignal(error)) return error;
  const { result: { verified } = {} } = result() ?? {};
  const end = `The rotation is finished${verified === true ? '' : ', but the new token was not tried'}.`;
  return reword(error, { reasons: [result() === undefined ? 'No token was created or replaced.' : end] });
}

function toIdleResult({ preview }: Plan): RotationRow['result'] {
  return preview === undefined ? 'none-or-not-permitted' : 'unchanged';
}

function toDoneResult(shown: Shown | undefined): RotationRow['result'] {
  if (shown?.result.changed !== true) {
    return shown?.result.retired?.some(({ deleted }) => deleted) === true ? 'retired' : 'unchanged';
  }
  return shown.isNew ? 'rotated' : 'delivered';
}

function toRow(
  organization: string,
  plan: Plan | undefined,
  more: Pick<RotationRow, 'error' | 'result'>,
): JobResult<RotationRow> {
  const result = plan?.result()?.result ?? plan?.preview?.unchanged;
  const isPlanned = more.result === 'planned' && plan !== undefined;
  const known = isPlanned ? toPlannedFacts(plan) : result && toRotationFacts(result);
  const { id = null, ...facts } = known ?? {};
  return {
    resource: { type: AUTHENTICATION_TOKENS, id: id === '' ? null : id },
    extra: { organization: toOrganization(organization), changed: false, ...more, ...facts },
  };
}

/** What an unfinished rotation has begun is brought to its end without a question: nothing is lost by it. */
async function confirmAlone({ screen }: Context, needed: readonly Plan[], now: number): Promise<void> {
  for (const { rotation, preview, replaced, isBegun, world } of needed) {
    // One with a description is created only where that was asked for.
    if (isBegun || (replaced === 'nothing' && world.token.beside !== undefined)) continue;
    await screen.confirm(
      'rotate',
      toReplacementQuestion(rotation, replaced, preview?.expiredAt, now, world.token.beside !== undefined),
    );
  }
}

function toQuestion(needed: readonly Plan[], now: number): Asked<'rotate several'> {
  const lines = needed.map(({ rotation: { organization }, replaced, isBegun }) => {
    if (isBegun) return `${organization}: finishes an unfinished rotation`;
    if (replaced === 'nothing') return `${organization}: has none, one is created`;
    const token = replaced === undefined ? '' : describeToken(replaced, now);
    return token === '' ? organization : `${organization}: ${token}`;
  });
  const [only] = needed.length === 1 ? needed : [];
  const place = describeThese(needed.map(({ rotation }) => rotation.organization));
  const [{ rotation, world } = {}] = needed;
  const noun = rotation?.noun ?? '';
  const isBeside = world?.token.beside !== undefined;
  return {
    tokens: only === undefined ? toPlural(noun) : noun,
    place,
    consequences: [
      isBeside ? 'The old tokens are deleted once the new ones work.' : 'The current tokens stop working at once.',
      ...shortenList(lines),
    ],
  };
}

function toPlural(noun: string): string {
  const [, kind = '', rest = ''] = /^(.*?token)(.*)$/s.exec(noun) ?? [];
  return `${kind}s${rest}`;
}

/** What would come of it, and nothing that only the new token could say. */
function toPlannedFacts({ rotation: { organization, sinks, about }, preview }: Plan): RotationFacts {
  const { expiredAt, unchanged } = preview ?? {};
  if (unchanged !== undefined) return toRotationFacts(unchanged);
  return {
    ...toRotationFacts({
      organization,
      ...about,
      id: '',
      ...(expiredAt === undefined ? {} : { 'expired-at': expiredAt }),
      fingerprint: null,
      changed: false,
      sinks: sinks.map(({ name }) => ({ sink: name, delivered: false })),
      verified: null,
      checks: [],
    }),
    id: null,
  };
}

/** A dry run of one. */
async function planAlone(context: Context, plan: Plan, printer: Printer): Promise<void> {
  const { screen, places } = context;
  const { rotation, preview } = plan;
  if (preview === undefined) return;
  const { unchanged, checked } = preview;
  noteUnfinished(plan, screen.note, places);
  const isIdle = unchanged !== undefined && preview.deletions.now.length === 0;
  if (isIdle) await printer.show(unchanged, undefined, rotation);
  else if (unchanged !== undefined) screen.note(describeUnchanged(unchanged, rotation, places.host.now()));
  await planRequests(context, plan, preview);
  screen.note(`Checked: ${checked.join(', ')}`);
  if (!isIdle) await printer.showPlanned(toPlannedFacts(plan));
}

/** The same of one of several. */
async function planOneOf(context: Context, plan: Plan): Promise<undefined> {
  const { screen, places } = context;
  const { organization } = plan.rotation;
  const { preview } = plan;
  if (preview === undefined) return;
  noteUnfinished(plan, screen.note, places);
  await planRequests(context, plan, preview);
  screen.note(`${organization}: checked: ${preview.checked.join(', ')}`);
}

function noteUnfinished({ rotation, preview }: Plan, note: (text: string) => void, { host }: Context['places']): void {
  if (preview?.unfinished !== undefined) note(describeUnfinished(rotation, preview.unfinished, host.now()));
}

/** In the order in which the rotation would send them. */
async function planRequests(
  context: Pick<Context, 'screen' | 'services' | 'places'>,
  plan: Plan,
  { unchanged, expiredAt, deletions, unfinished }: Preview,
) {
  const { token, rotation } = plan;
  const planDeletions = async (all: readonly RetiringToken[], isAfter: boolean): Promise<void> => {
    for (const old of all)
      await token.planDeletion(old, describeDeletion(rotation.organization, old, isAfter), isAfter);
  };
  await planDeletions(deletions.now, false);
  const isCreated = unchanged === undefined && unfinished?.next !== 'deliver';
  if (unchanged === undefined && !isCreated) {
    const sinks = rotation.sinks.map(({ name }) => name).join(', ');
    context.screen.planDelivery(`deliver ${toName(rotation)} of the unfinished rotation to ${sinks}`);
  }
  if (isCreated) await token.plan(expiredAt, await describe(context, plan));
  await planDeletions(deletions.later, true);
}

async function describe(
  { services, places }: Pick<Context, 'services' | 'places'>,
  { rotation, replaced, preview, token }: Plan,
): Promise<string> {
  const service = await services.current();
  // Of tokens that stand beside each other all are listed.
  const known = token.beside === undefined ? await toKnown(service, rotation.organization, replaced) : replaced;
  const now = places.host.now();
  return describeReplacement(toName(rotation), known ?? 'hidden', preview?.expiredAt, now);
}

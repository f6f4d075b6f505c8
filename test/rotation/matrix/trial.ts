import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '../../campaign/random.ts';
import { COMPILED } from '../../support/compiled.ts';
import { findAsker, findLoss, judgeBeside, judgeGone, judgeLeftOvers, judgeSelf } from './beside.ts';
import { findLeaks } from './leaks.ts';
import { createMachine, findPrinted, listFiles, type Machine, writeCommands } from './machine.ts';
import {
  createPlan,
  type MachineName,
  type Moment,
  type Plan,
  type RunPlan,
  type Stage,
  standsBeside,
  type TokenKind,
} from './plan.ts';
import { type Ended, type Program, type Running, startProcess, untilGone } from './process.ts';
import { CREATORS, type ModelService, OWNER_TOKEN, startModel, type Token } from './service.ts';
import { judgeRun, judgeShared, type RunFacts, requireHolding } from './verdicts.ts';

/** One trial: rotations that meet faults, then the next one that meets none, with the truth looked up after each. */

export interface TrialReport {
  readonly seed: number;
  /** How each rotation that could meet a fault ended, and where the current token was then. */
  readonly ends: readonly string[];
  /** What the next run then did. */
  readonly next: string;
  /** What the preloaded file did: at which operation it ended the process or failed. */
  readonly notes: readonly string[];
  readonly violations: readonly string[];
}

/** Long enough for a machine with other work, since what an answer must precede is decided by requests, not by time. */
const COMMON = ['--settle', '40ms', '--timeout', '8s', '--max-retries', '2'];

const COMMANDS: Readonly<Record<TokenKind, readonly string[]>> = {
  'audit-trail': ['audit-token', 'rotate'],
  organization: ['tokens', 'rotate', 'organization'],
  team: ['tokens', 'rotate', 'team:platform'],
  described: ['tokens', 'rotate', 'team:platform/ci'],
  self: ['tokens', 'rotate', 'team:platform/ci', '--allow-self'],
};

const NO_FAULTS: Omit<RunPlan, 'machine' | 'options'> = {
  posts: [],
  reads: undefined,
  file: undefined,
  kill: undefined,
  signal: undefined,
  foreign: undefined,
  local: undefined,
};

export async function runTrial(
  seed: number,
  program: Program,
  kind?: TokenKind,
  isTwo?: boolean,
): Promise<TrialReport> {
  const plan = createPlan(seed, kind, isTwo);
  const parent = mkdtempSync(join(tmpdir(), 'orgctl-matrix-'));
  const service = await startModel(plan.service, plan.before, createRandom(seed ^ 0x5eed));
  const trial = createTrial(plan, program, service, parent);
  try {
    return await trial.run();
  } finally {
    await service.close();
    trial.remove();
    rmSync(parent, { recursive: true, force: true, maxRetries: 5 });
  }
}

function createTrial(plan: Plan, program: Program, service: ModelService, parent: string) {
  const commands = writeCommands(parent);
  const mark = `MATRIX_TRIAL=${parent}`;
  const machines = new Map<MachineName, Machine>();
  const ended = new Map<MachineName, Ended[]>();
  const violations: string[] = [];
  const ends: string[] = [];
  const texts: string[] = [];
  const known = new Map<string, RunFacts>();
  let runs = 0;
  let hasKilled = false;
  let hasFailedFiles = false;
  let isLenient = false;
  const isBeside = standsBeside(plan.service.kind);
  const isSelf = plan.service.kind === 'self';
  const askers = new Set<string>();
  let asker: Token | undefined;

  function machineOf(name: MachineName): Machine {
    let machine = machines.get(name);
    if (machine === undefined) {
      const sharing = name === 'b' && plan.shared ? machineOf('a') : undefined;
      machine = createMachine(parent, name, plan.sinks, commands.store, () => service.port, plan.service.kind, sharing);
      machines.set(name, machine);
      ended.set(name, []);
    }
    return machine;
  }

  function prepare({ machine: name, local, file }: RunPlan): void {
    const machine = machineOf(name);
    if (local?.kind === 'full') {
      machine.limit(local.where);
      if (local.pages !== 'at-post') machine.fill(local.where, local.pages);
    }
    if (local?.kind === 'exec-fails') machine.breakExec('fails');
    if (local?.kind === 'exec-closes') machine.breakExec('closes');
    hasFailedFiles ||= file?.mode === 'fail';
    isLenient ||= hasFailedFiles || local?.kind === 'full';
  }

  function start(run: RunPlan): { readonly name: string; readonly running: Running } {
    runs += 1;
    const name = `run-${runs}`;
    const machine = machineOf(run.machine);
    const settings = join(machine.folder, 'settings');
    mkdirSync(settings, { recursive: true });
    const argv = [
      ...[
        ...COMMANDS[plan.service.kind],
        // Where the service says of no one who asks, that has to be allowed.
        ...(plan.service.account || ['audit-trail', 'self'].includes(plan.service.kind) ? [] : ['--allow-self']),
        ...run.options.map((word) => word.replace('VERIFY', commands.verify)),
        ...COMMON,
      ],
      ...(plan.printsJson || !plan.sinks.includes('stdout') ? ['-o', 'json'] : []),
      ...machine.to.flatMap((to) => ['--to', to]),
    ];
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: settings,
      NODE_COMPILE_CACHE: COMPILED,
      TZ: 'UTC',
      MATRIX_TRIAL: parent,
      ORGCTL_BASE_URL: `http://127.0.0.1:${service.port}/${name}/api/v2`,
      ORGCTL_ORG: 'acme',
      ORGCTL_TOKEN: asker?.secret ?? OWNER_TOKEN,
      ORGCTL_CONFIG_DIR: settings,
      ORGCTL_STATE_DIR: machine.state,
      GITHUB_OUTPUT: machine.nextOutputs(),
    };
    const file = run.file === undefined ? undefined : { ...run.file, note: join(parent, 'notes') };
    const running = startProcess(program, argv, env, file);
    service.admit(name, {
      posts: run.posts,
      reads: run.reads,
      kill: run.kill,
      deletes: run.deletes,
      end: running.end,
      onMoment: (moment) => act(run, machine, running, moment),
    });
    return { name, running };
  }

  function act({ signal, foreign, local, policy }: RunPlan, machine: Machine, running: Running, moment: Moment): void {
    if (/^(?:done|verify)/.test(moment)) texts.push(running.witness());
    if (policy?.at === moment) service.limit(policy.how);
    if (foreign?.at === moment) service.replace(foreign.sameCreator ? CREATORS.same : CREATORS.other);
    if (signal?.at === moment) {
      running.child.kill(signal.name);
      if (signal.twice) running.child.kill(signal.name);
    }
    if (moment !== 'post:1') return;
    if (local?.kind === 'full' && local.pages === 'at-post') machine.fill(local.where, 0);
    if (local?.kind === 'folder-instead') machine.putFolderInstead();
    if (local?.kind === 'immutable') machine.makeImmutable();
    if (local?.kind === 'stdout-closes') running.child.stdout?.destroy();
  }

  async function runStage(stage: Stage): Promise<readonly RunFacts[]> {
    const former = new Map(stage.map(({ machine }) => [machine, machineOf(machine).journal()?.open]));
    const present = service.current();
    if (isSelf) chooseAsker();
    const deleted = service.deletions.length;
    stage.forEach(prepare);
    const started = stage.map(start);
    const facts = await Promise.all(
      started.map(async ({ name, running }, index) => {
        const end = await running.ended;
        const run = stage[index] as RunPlan;
        ended.get(run.machine)?.push(end);
        return { name, run, end, machine: machineOf(run.machine) };
      }),
    );
    if (facts.some(({ end }) => end.code === null)) {
      hasKilled = true;
      // A command that was given the secret goes on without the run that started it.
      await untilGone(mark);
    }
    // What takes effect after a run that waited long enough for it and ended well is beyond what anybody can see.
    if (facts.every(({ end }) => [0, 129, 130, 143].includes(end.code ?? -1))) service.dropPending();
    const all = facts.map((each): RunFacts => {
      const made = service.tokens.filter(({ maker }) => maker === each.name);
      const posts = service.posts.filter(({ run }) => run === each.name);
      const isAlone = facts.filter(({ machine }) => machine === each.machine).length === 1;
      const wasOpen = former.get(each.run.machine) !== undefined;
      const isShared = plan.shared && facts.some(({ machine }) => machine !== each.machine);
      const isWarned = service.wasWarned(each.name);
      const context = { isAlone, isShared, isWarned, wasOpen, hasKilled, isLenient, present };
      return { ...each, ...context, kinds: plan.sinks, made, posts };
    });
    for (const each of all) known.set(each.name, each);
    if (isBeside) {
      const where = { kinds: plan.sinks, ended: [...ended.values()].flat() };
      for (const each of all) report(each.name, judgeBeside(each, service, [...machines.values()], where, deleted));
      const loss = findLoss(service, [...machines.values()], where);
      // What stands where the file with the token was is no work of orgctl.
      const isBroken = all.some(({ run }) => run.local !== undefined);
      if (loss !== undefined && !isBroken) violations.push(`${all.map(({ name }) => name).join(' and ')}: ${loss}`);
      for (const each of all) lookForLeaks(each);
      if (isSelf) await judgeAsker(all, deleted);
      return all;
    }
    for (const each of all) report(each.name, judgeRun(each, service));
    if (plan.service.metadata || plan.service.trail !== 'missing') report('both', judgeShared(all, service));
    checkInvariant(all);
    for (const each of all) lookForLeaks(each);
    return all;
  }

  function chooseAsker(): void {
    const where = { kinds: plan.sinks, ended: [...ended.values()].flat() };
    asker = findAsker(service, [...machines.values()], where);
    if (asker !== undefined) askers.add(asker.secret);
  }

  /** Whoever still asks with a token that a run deleted is told where the next one is. */
  async function judgeAsker(all: readonly RunFacts[], deleted: number): Promise<void> {
    const former = asker;
    if (former === undefined) return;
    for (const each of all) report(each.name, judgeSelf(each, former, service, deleted));
    const by = service.deletions.slice(deleted).find(({ token }) => token === former)?.run;
    const one = all.find(({ name }) => name === by);
    if (one === undefined) return;
    const run = { ...NO_FAULTS, machine: one.run.machine, options: ['--expires', '90d'] };
    const { name, running } = start(run);
    const end = await running.ended;
    report(`${name} (with the old token)`, judgeGone({ ...one, name, run, end }));
  }

  function report(name: string, found: readonly string[]): void {
    violations.push(...found.map((text) => `${name}: ${text}`));
  }

  /** From outside: the current token is in a known place, or was not replaced, or orgctl says that it is not known. */
  function checkInvariant(all: readonly RunFacts[]): void {
    const where = locate();
    const names = all.map(({ name }) => name).join(' and ');
    if (where.startsWith('LOST')) violations.push(`${names}: the token in force is ${where}`);
  }

  function locate(): string {
    const current = service.current();
    if (current === undefined || current.maker === 'before') return 'never replaced';
    if (current.maker === 'others') return 'replaced by somebody else';
    for (const [name, machine] of machines) {
      const held = machine.holders(current.secret, ended.get(name) ?? []).length;
      const isKept = machine.recoveries().some(({ secret }) => secret === current.secret);
      if (held === plan.sinks.length) return isKept ? 'in every place and kept' : 'in every place';
      if (isKept) return held > 0 ? 'in some places and kept' : 'kept';
      if (held > 0) return 'in some places';
    }
    const maker = known.get(current.maker);
    if (maker?.isShared === true && isOverwritten(maker)) return 'overwritten by another machine, whose end says so';
    const open = maker?.machine.journal()?.open;
    const phase = open?.phase ?? 'closed';
    // Of two requests the first took effect last. The next run takes a token that is not the kept one for a loss then.
    const isOvertaken = maker?.made.length === 2 && (open?.posts ?? 0) > 1;
    const isUnknown = open?.lost === true || ['minting', 'unknown'].includes(phase);
    const isTold = isUnknown || (phase === 'minted' && (hasFailedFiles || isOvertaken));
    const failed = maker !== undefined && maker.end.code !== 0;
    return isTold && failed ? 'known not to be known' : `LOST (journal ${phase}, exit ${maker?.end.code})`;
  }

  function locateBeside(): string {
    const old = service.alive().some(({ maker }) => maker === 'before')
      ? 'the old one works'
      : 'the old one is deleted';
    const made = service.alive().filter(({ maker }) => maker.startsWith('run-')).length;
    return `${old}, ${made} new`;
  }

  /** A run of the other machine delivered its own token later, and did not end as if that were the current one. */
  function isOverwritten({ name, machine }: RunFacts): boolean {
    return [...known.values()].some(
      (other) =>
        other.name !== name &&
        other.machine !== machine &&
        other.made.length > 0 &&
        ![0, 14].includes(other.end.code ?? -1),
    );
  }

  function lookForLeaks({ name, end, machine, kinds }: RunFacts): void {
    const secrets = service.tokens.filter(({ maker }) => maker.startsWith('run-')).map(({ secret }) => secret);
    const isPrinted =
      kinds.includes('stdout') && (end.code === null || secrets.includes(findPrinted(end.stdout) ?? ''));
    const masks = secrets.map((secret) => `::add-mask::${secret.replaceAll('%', '%25')}\n`);
    const [mask = ''] = kinds.includes('github-output') ? masks.filter((line) => end.stderr.includes(line)) : [];
    const streams: readonly (readonly [string, string])[] = [
      ['stdout', isPrinted ? '' : end.stdout],
      ['stderr', mask === '' ? end.stderr : end.stderr.replace(mask, () => '')],
      ['what /proc shows', withoutAskers(texts.join('\n'))],
    ];
    const files = listFiles(machine.folder)
      .filter((path) => !machine.mayHold(path, hasKilled))
      .map((path) => [path, withoutAskers(readFileSync(path, 'latin1'))] as const);
    for (const [place, text] of [...streams, ...files]) {
      for (const secret of secrets) {
        const forms = findLeaks(text, secret);
        if (forms.length > 0) violations.push(`${name}: a secret (${forms.join(', ')}) in ${place}`);
      }
    }
  }

  /** The token that asks is in the environment of orgctl, where its user put it. */
  function withoutAskers(text: string): string {
    return [...askers].reduce((rest, secret) => rest.replaceAll(`ORGCTL_TOKEN=${secret}`, ''), text);
  }

  async function runClean(options: readonly string[]): Promise<RunFacts> {
    const [facts] = await runStage([{ ...NO_FAULTS, machine: 'a', options }]);
    if (facts === undefined) throw new Error('a stage without a run');
    return facts;
  }

  /** The same of a token that stands beside others. What others made beside it is for a person to judge. */
  async function runNextBeside(): Promise<string> {
    for (const each of machines.values()) each.mend();
    const options = [...toExpires(), ...(plan.service.account ? [] : ['--retire-unverified'])];
    const mayKeep = plan.stages.flat().some((run) => run?.options.includes('--keep-old'));
    const hasStrangers = (): boolean =>
      machines.size > 1 ||
      service.alive().some(({ maker, description }) => maker === 'others' && /^ci /.test(`${description}`));
    for (let run = 1; ; run += 1) {
      const facts = await runClean(options);
      const { code, stderr } = facts.end;
      if (code === 0) {
        report(`${facts.name} (next)`, judgeLeftOvers(facts, service, machines.size > 1 || mayKeep));
        return run === 1 ? 'makes or delivers a token' : 'the same, after it was asked again';
      }
      if (hasStrangers() && [2, 14].includes(code ?? -1) && /at-\w+/.test(stderr)) return 'names what others made';
      if (run === 3 || ![13, 14].includes(code ?? -1)) {
        report(`${facts.name} (next)`, [`exit ${code}: ${stderr}`]);
        return 'fails';
      }
    }
  }

  /** The rotation after all faults, without options: it has to end well, and must not replace a token it could deliver. */
  async function runNext(): Promise<string> {
    const machine = machineOf('a');
    for (const each of machines.values()) each.mend();
    const open = machine.journal()?.open;
    const current = service.current();
    const canTell = plan.service.metadata || plan.service.trail === 'events';
    const kept = machine.recoveries().find(({ name, secret }) => secret === current?.secret && name === open?.recovery);
    const isEnded = current !== undefined && service.hasEnded(current);
    const isDeliverable = kept?.isWhole === true && canTell && !isEnded && !service.isPending();
    const facts = await runClean(toExpires());
    const found = requireHolding(facts, service, isDeliverable, plan.shared && machines.size > 1);
    report(`${facts.name} (next)`, found);
    return isDeliverable
      ? 'delivers what was kept'
      : open === undefined
        ? 'makes a token'
        : 'makes a token for an open end';
  }

  function toExpires(): readonly string[] {
    return ['--expires', service.isLimited() ? '12h' : '90d'];
  }

  async function runIdle(): Promise<void> {
    const facts = await runClean([...toExpires(), '--if-expires-within', '30d']);
    const allowed = plan.service.metadata ? [0] : [0, 13];
    if (facts.posts.length > 0 || !allowed.includes(facts.end.code ?? -1)) {
      report(`${facts.name} (idle)`, [`${facts.posts.length} POSTs and exit ${facts.end.code}: ${facts.end.stderr}`]);
    }
  }

  return {
    async run(): Promise<TrialReport> {
      if (plan.warmUp && isBeside) await runClean(['--expires', '90d', '--retire-unverified']);
      else if (plan.warmUp)
        report('warm-up', requireHolding(await runClean(['--expires', '90d']), service, false, false));
      for (const stage of plan.stages) {
        const all = await runStage(stage);
        const where = isBeside ? locateBeside() : locate();
        for (const { end, present } of all) {
          ends.push(`${toEnding(end)} | ${present === service.current() && !isBeside ? 'as before: ' : ''}${where}`);
        }
      }
      const next = isBeside ? await runNextBeside() : await runNext();
      if (plan.idle && lastsLong(service.current()?.expiredAt)) await runIdle();
      if (service.strays.length > 0)
        violations.push(`requests for what nobody should ask for: ${service.strays.join(', ')}`);
      return { seed: plan.seed, ends, next, notes: readNotes(parent), violations };
    },
    remove() {
      for (const machine of machines.values()) machine.remove();
    },
  };
}

/** Whether a token is not due within the 30 days that the idle run asks for. */
function lastsLong(expiredAt: string | null | undefined): boolean {
  return expiredAt === null || Date.parse(expiredAt ?? '') > Date.now() + 31 * 86_400_000;
}

function toEnding({ code }: Ended): string {
  return code === null ? 'SIGKILL' : `exit ${code}`;
}

function readNotes(parent: string): readonly string[] {
  try {
    return readFileSync(join(parent, 'notes'), 'utf8').trim().split('\n');
  } catch {
    return [];
  }
}

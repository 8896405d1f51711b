import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { formatLock } from '@catalog/consumer/lock/format-lock';
import { parseLock } from '@catalog/consumer/lock/read-lock';
import { emptyLock, type LockFile } from '@catalog/consumer/lock/types';
import {
  combineDesired,
  type DesiredState,
  type Owner,
} from '@catalog/consumer/sync/desired-state';
import { observeTarget } from '@catalog/consumer/sync/observe-target';
import { planSharedFiles, sharedRows, type SharedPlan } from '@catalog/consumer/sync/shared-files';
import type { ManagedEntry } from '@catalog/harness/adapter';
import type { PlannedEntry } from '@catalog/harness/planned';
import type { SeededRandom } from '../../../tools/seeded-random.ts';
import type { ParserInput } from '../../../tools/services/config-parsers.ts';
import { CATALOGS, type Format } from './formats.ts';
import { editBoth } from './user-edits.ts';

type Target = keyof typeof CATALOGS;
const TARGETS: readonly Target[] = ['one', 'two'];

export interface Played {
  losses: string[];
  syncs: number;
  edits: number;
  /** Number of syncs that failed with a code and changed nothing. */
  refused: number;
  /** CPU time of the syncs, without the checks. */
  cpu_ms: number;
  judged: ParserInput[];
}

interface Stage extends Played {
  format: Format;
  folder: string;
  /** The file as it would be without catalog. */
  mine: string | undefined;
  lock: LockFile;
  /** Version of each artifact that the catalogs contain, by id; 0 if absent. */
  offered: Map<string, number>;
  delivered: Map<Target, PlannedEntry[]>;
  /** True if the user has edited a managed entry, which may then stay. */
  touched: boolean;
}

/** Plays a random sequence of publications, syncs and edits of one file, with a check after each. */
export function playSequence(
  format: Format,
  mine: string | undefined,
  folder: string,
  random: SeededRandom,
): Played {
  const stage: Stage = {
    losses: [],
    syncs: 0,
    edits: 0,
    refused: 0,
    cpu_ms: 0,
    judged: [],
    format,
    folder,
    mine,
    lock: emptyLock(),
    offered: new Map(),
    delivered: new Map(),
    touched: false,
  };
  rmSync(pathOf(stage), { force: true });
  if (mine !== undefined) writeFileSync(pathOf(stage), mine);
  const turns = 6 + random.int(8);
  for (let turn = 0; turn < turns; turn += 1) {
    const kind = random.int(10);
    if (kind < 3) publish(stage, random);
    else if (kind < 7) sync(stage, random.pick([['one'], ['two'], TARGETS, TARGETS]));
    else if (kind < 9) editTheirs(stage, turn, random);
    else editOurs(stage);
    checkRemoval(stage);
  }
  for (const target of TARGETS) {
    stage.offered.clear();
    sync(stage, [target]);
  }
  if (textOf(stage) !== stage.mine)
    stage.losses.push(`in the end the file is ${show(textOf(stage))}, and was ${show(stage.mine)}`);
  return stage;
}

function pathOf({ folder, format }: Stage): string {
  return join(folder, format.file);
}

function textOf(stage: Stage): string | undefined {
  const path = pathOf(stage);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function publish(stage: Stage, random: SeededRandom): void {
  const ids = [...new Set(TARGETS.flatMap((target) => CATALOGS[target]))];
  for (let count = 1 + random.int(4); count > 0; count -= 1) {
    stage.offered.set(random.pick(ids), random.int(3));
  }
}

function sync(stage: Stage, running: readonly Target[]): void {
  const { format, delivered } = stage;
  const wanted = new Map(running.map((target) => [target, plannedFor(stage, target)]));
  const before = textOf(stage);
  const started = process.cpuUsage();
  let plans: SharedPlan[];
  try {
    plans = plan(stage, wanted);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    stage.refused += 1;
    return;
  }
  const { user, system } = process.cpuUsage(started);
  stage.cpu_ms += (user + system) / 1000;
  stage.syncs += 1;
  apply(stage, plans);
  for (const [target, entries] of wanted) delivered.set(target, entries);
  if (running.length === TARGETS.length) stage.touched = false;
  const again = plan(stage, wanted);
  if (again.some(({ changed }) => changed)) {
    const twice = again.map(({ text }) => text);
    stage.losses.push(`a second run makes ${show(textOf(stage))} into ${show(twice)}`);
  }
  const [first, second] = [stage.lock, lockAfter(again)].map(formatLock);
  if (first !== second) stage.losses.push(`a second run makes ${show(first)} into ${show(second)}`);
  const text = textOf(stage);
  if (text !== undefined && text !== before && !stage.touched) {
    const all = [...delivered.values()].flatMap((entries) => entries.map(({ entry }) => entry));
    stage.judged.push({
      format: format.parser,
      text,
      mine: stage.mine ?? '',
      wanted: all.map(toJudge),
    });
  }
}

function toJudge({ shape, container, key, value, if_absent }: ManagedEntry) {
  return { shape, container, key, value, ...(if_absent === true ? { if_absent } : {}) };
}

function plannedFor({ format, offered }: Stage, target: Target): PlannedEntry[] {
  return CATALOGS[target].flatMap((id) => {
    const version = offered.get(id) ?? 0;
    const entries = version === 0 ? [] : format.entries(id, version);
    const source = { artifact_id: id, version: `${version}.0.0`, layer: target, content_hash: '' };
    return entries.map((entry) => ({ ...source, path: format.file, entry }));
  });
}

/** Plans like a sync of one folder: entries of other targets are unchanged. */
function plan({ folder, lock }: Stage, wanted: ReadonlyMap<Target, PlannedEntry[]>): SharedPlan[] {
  const running = new Set<string>(wanted.keys());
  const isCarried = ({ target }: Owner): boolean => !running.has(target);
  const nothing = { files: [], unsupported: [], fallbacks: [], left_out: [] };
  const desired: DesiredState = combineDesired(
    Array.from(wanted, ([target, entries]) => ({ target, plan: { ...nothing, entries } })),
    { files: [], entries: lock.entries.filter(isCarried) },
  );
  const observe = observeTarget(folder, new Map(), new Set());
  return planSharedFiles(folder, desired.entries, lock, undefined, isCarried, observe);
}

function apply(stage: Stage, plans: readonly SharedPlan[]): void {
  for (const { text } of plans) {
    if (text === undefined) rmSync(pathOf(stage), { force: true });
    else writeFileSync(pathOf(stage), text);
  }
  stage.lock = parseLock(formatLock(lockAfter(plans)), 'sync.lock');
}

function lockAfter(plans: readonly SharedPlan[]): LockFile {
  const entries = plans.flatMap((plan) => plan.entries);
  return { ...emptyLock(), entries, shared: sharedRows(plans) };
}

function editTheirs(stage: Stage, turn: number, random: SeededRandom): void {
  const shared = textOf(stage);
  if (stage.mine === undefined || shared === undefined) return;
  const both = editBoth({ mine: stage.mine, shared }, stage.format, turn, random);
  if (both === undefined) return;
  stage.mine = both.mine;
  stage.edits += 1;
  writeFileSync(pathOf(stage), both.shared);
}

/** Edits a managed entry that is identified by its position. */
function editOurs(stage: Stage): void {
  const shared = textOf(stage);
  if (shared === undefined || !shared.includes('serve-ours')) return;
  writeFileSync(pathOf(stage), shared.replace('serve-ours', 'edited'));
  stage.touched = true;
}

/** Checks that removing all managed entries now would restore the user's file byte for byte. */
function checkRemoval(stage: Stage): void {
  const [removed] = planSharedFiles(
    stage.folder,
    new Map(),
    stage.lock,
    undefined,
    () => false,
    observeTarget(stage.folder, new Map(), new Set()),
  );
  const text = removed === undefined ? textOf(stage) : removed.text;
  if (text !== stage.mine) {
    stage.losses.push(`without ours the file would be ${show(text)}, and was ${show(stage.mine)}`);
  }
}

function show(value: unknown): string {
  return JSON.stringify(value);
}

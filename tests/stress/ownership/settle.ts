import {
  copyModel,
  handOverEntries,
  isCopy,
  isEdited,
  type Model,
  type UndoPoint,
} from './model.ts';
import type { Attempt } from './refusals.ts';
import { SETTINGS } from './settings.ts';
import { hasPlace, isShared } from './shared-files.ts';
import { isSameFile, type Leaf, type Tree } from './tree.ts';
import { isUndone } from './undo-mismatches.ts';

interface Synced extends Attempt {
  /** False if only a part of the targets ran. */
  exact: boolean;
  saved: string | undefined;
  previous: Model;
}

export function settleSynced(model: Model, run: Synced, after: Tree): void {
  const { before, selected, delivery, consent, command, exact, previous } = run;
  const isSaved = (path: string): boolean => path === run.saved;
  for (const [path, leaf] of delivery.files) {
    if (isSaved(path) || !isSameFile(after.get(path), leaf)) continue;
    const own = model.user.get(path);
    if (own !== undefined && !consent.takesOver(path)) continue;
    if (own !== undefined) model.replaced.set(path, own);
    model.user.delete(path);
    const isRewritten = before.get(path) !== after.get(path) || consent.takesOver(path);
    model.managed.set(path, [leaf]);
    // A doubtful file that the user hands over may count as the user's, and be restored later
    // (ADR-0073).
    if (isRewritten && !(model.doubtful.has(path) && consent.takesOver(path))) {
      model.doubtful.delete(path);
    }
  }
  for (const path of model.managed.keys()) {
    if (!exact && before.has(path) && !after.has(path)) forget(model, path);
    if (delivery.files.has(path) || isSaved(path)) continue;
    const leaf = after.get(path);
    // A target that does not run keeps its row for a file that the user deleted.
    if (!exact && !before.has(path)) model.doubtful.add(path);
    else if (leaf === undefined) forget(model, path);
    else if (!exact) {
      model.doubtful.add(path);
      if (before.get(path) !== leaf) model.managed.set(path, [leaf]);
    } else {
      // The file was edited and is no longer needed, so it belongs to the user now.
      forget(model, path);
      model.user.set(path, leaf);
    }
  }
  for (const [path, leaf] of after) {
    if (exact || before.has(path) || isShared(path) || isCopy(path)) continue;
    if (model.managed.has(path) || isSaved(path)) continue;
    model.managed.set(path, [leaf]);
    model.doubtful.add(path);
  }
  handOverEntries(model, delivery, consent.takesOver);
  settleEntries(model, run);
  const isChanged = [...new Set([...before.keys(), ...after.keys()])].some(
    (path) => !isCopy(path) && before.get(path) !== after.get(path) && path !== SETTINGS,
  );
  const hasPutBack = [...previous.managed.keys()].some(
    (path) => !delivery.files.has(path) && after.has(path),
  );
  const { interrupted } = previous;
  const point = { before, between: [], after, model: previous };
  if (isChanged) model.undo = [point];
  // The only file to write may have changed during the sync, or the sync may have restored the
  // user's version of a file with the same content.
  else if (run.saved !== undefined || hasPutBack) model.undo = [point, ...model.undo];
  if (interrupted !== undefined) {
    // If the killed sync completed its last step, it can be undone separately.
    const between = [...interrupted.between, { tree: before, model: previous }];
    const both = { ...interrupted, between, after };
    model.undo = isChanged ? [...model.undo, both] : [both, ...model.undo];
  }
  model.toggles = togglesAfter(run);
  model.delivered = new Map(selected);
  model.last_viewer = run.served ? run.viewer : undefined;
  model.settings_changed = command.harness !== undefined;
  model.partial = command.harness !== undefined && model.settings.targets.length > 0;
  model.lock_lost = false;
  model.foreign_records = false;
  model.undone = false;
  model.interrupted = undefined;
}

/** A sync without toggles removes the previous ones. */
export function togglesAfter({ toggles }: Pick<Attempt, 'toggles'>): Model['toggles'] {
  return toggles ?? { add: new Set(), remove: new Set() };
}

function settleEntries(model: Model, { delivery, exact }: Synced): void {
  if (exact) model.managed_entries.clear();
  for (const [path, leaf] of delivery.shared) {
    const own = (model.entries.get(path) ?? []).some((entry) => hasPlace(path, leaf, entry));
    if (!own) model.managed_entries.set(path, leaf);
  }
}

function forget(model: Model, path: string): void {
  model.managed.delete(path);
  model.doubtful.delete(path);
}

export function settleInterrupted(
  model: Model,
  run: Attempt,
  after: Tree,
  saved: string | undefined,
): void {
  const { before, delivery, consent } = run;
  const { interrupted } = model;
  const previous = copyModel(model);
  const writes = new Map(interrupted?.writes);
  for (const [path, leaf] of delivery.files) {
    writes.set(path, [...(writes.get(path) ?? []), leaf]);
    if (path === saved) continue;
    const now = after.get(path);
    const own = model.user.get(path);
    if (own !== undefined && consent.takesOver(path)) model.replaced.set(path, own);
    if (now !== before.get(path) && isSameFile(now, leaf)) {
      model.user.delete(path);
      model.managed.set(path, [...(model.managed.get(path) ?? []), leaf]);
    } else if (consent.takesOver(path) && model.user.has(path) && isSameFile(now, leaf)) {
      // The lock may already be written and contain the file.
      model.user.delete(path);
      model.managed.set(path, [leaf]);
      model.doubtful.add(path);
    }
  }
  for (const path of model.managed.keys()) {
    // The lock may already be written without the file.
    if (!delivery.files.has(path) && isEdited(model, path, after.get(path)))
      model.doubtful.add(path);
  }
  handOverEntries(model, delivery, consent.takesOver, true);
  for (const [path, leaf] of delivery.shared) {
    if (after.get(path) !== before.get(path)) model.managed_entries.set(path, leaf);
  }
  model.interrupted = {
    before: interrupted?.before ?? before,
    model: interrupted?.model ?? previous,
    between:
      interrupted === undefined ? [] : [...interrupted.between, { tree: before, model: previous }],
    after,
    writes,
  };
  if (saved !== undefined && model.managed.has(saved)) model.doubtful.add(saved);
}

export function settleRemoved(model: Model, before: Tree, after: Tree, previous: Model): void {
  for (const path of model.managed.keys()) {
    const leaf = after.get(path);
    if (leaf !== undefined && before.has(path)) model.user.set(path, leaf);
  }
  model.managed.clear();
  model.doubtful.clear();
  model.managed_entries.clear();
  model.delivered.clear();
  model.toggles = { add: new Set(), remove: new Set() };
  for (const path of [...model.entries.keys(), ...model.entry_edits.keys()]) {
    if (!after.has(path)) model.own_shared.delete(path);
  }
  Object.assign(model, {
    last_viewer: undefined,
    settings_changed: false,
    partial: false,
    lock_lost: false,
    foreign_records: false,
    interrupted: undefined,
    undone: false,
    undo: removalPoints(before, after, previous),
  });
}

/** Returns only the removal, or also the interrupted sync that it completed. */
function removalPoints(before: Tree, after: Tree, previous: Model): UndoPoint[] {
  const { interrupted } = previous;
  const alone = { before, between: [], after, model: previous };
  const points = isSameTree(before, after) ? [] : [alone];
  if (interrupted === undefined) return points;
  const between = [...interrupted.between, { tree: before, model: previous }];
  return [...points, { ...interrupted, between, after }];
}

function isSameTree(a: Tree, b: Tree): boolean {
  return [...new Set([...a.keys(), ...b.keys()])].every((path) => a.get(path) === b.get(path));
}

/** Marks files as doubtful that are catalog's after only one of several possibly reverted syncs. */
export function settleUndone(
  model: Model,
  [point, ...rivals]: readonly [UndoPoint, ...UndoPoint[]],
  before: Tree,
  after: Tree,
): void {
  const outcomes = rivals.map((rival) => {
    const outcome = copyModel(model);
    settleUndoOf(outcome, rival, before, after);
    return outcome;
  });
  settleUndoOf(model, point, before, after);
  for (const { managed } of outcomes) {
    for (const path of new Set([...managed.keys(), ...model.managed.keys()])) {
      if (managed.has(path) === model.managed.has(path) || !after.has(path)) continue;
      model.managed.set(path, model.managed.get(path) ?? managed.get(path) ?? []);
      model.user.delete(path);
      model.doubtful.add(path);
    }
  }
}

function settleUndoOf(model: Model, point: UndoPoint, before: Tree, after: Tree): void {
  const current = copyModel(model);
  const states = [{ tree: point.before, model: point.model }, ...point.between];
  const paths = new Set(
    [...states.map(({ tree }) => tree), point.after].flatMap((tree) => [...tree.keys()]),
  );
  for (const path of paths) {
    const left = point.after.get(path);
    const isSame = states.every(({ tree }) => tree.get(path) === left);
    if (isSame || isCopy(path) || path === SETTINGS) continue;
    const state = states.find(({ tree }) => isSameFile(tree.get(path), after.get(path)));
    const former = state?.model ?? point.model;
    if (isShared(path)) {
      if (isUndone(point, before, path)) restoreEntries(model, former, path);
    } else if (isUndone(point, before, path)) {
      restore(model, former, path);
      // The lock is the one from before the first sync.
      if (former !== point.model && model.managed.has(path)) model.doubtful.add(path);
    } else leaveEdited(model, point, path, after.get(path));
  }
  for (const [path] of point.model.user) {
    // This sync or a later one took over the file without changing it.
    const leaf = after.get(path);
    if (!model.managed.has(path) || leaf === undefined) continue;
    forget(model, path);
    model.user.set(path, leaf);
  }
  model.toggles = point.model.toggles;
  model.delivered = new Map(point.model.delivered);
  model.settings_changed = true;
  model.lock_lost = false;
  model.interrupted = undefined;
  model.undone = true;
  model.undo = [{ before, between: [], after, model: current }];
}

function restore(model: Model, former: Model, path: string): void {
  model.user.delete(path);
  forget(model, path);
  const leaf = former.user.get(path);
  const left = former.managed.get(path);
  if (leaf !== undefined) model.user.set(path, leaf);
  if (left !== undefined) model.managed.set(path, [...left]);
  if (former.doubtful.has(path)) model.doubtful.add(path);
}

function restoreEntries(model: Model, former: Model, path: string): void {
  model.entries.set(path, [...(former.entries.get(path) ?? [])]);
  if (former.own_shared.has(path)) model.own_shared.add(path);
  const managed = former.managed_entries.get(path);
  if (managed === undefined) model.managed_entries.delete(path);
  else model.managed_entries.set(path, managed);
}

function leaveEdited(model: Model, point: UndoPoint, path: string, leaf: Leaf | undefined): void {
  const left = point.model.managed.get(path);
  const isStillManaged = left !== undefined && point.after.has(path);
  forget(model, path);
  // An earlier undo may have given the file to the user.
  if (isStillManaged && !model.user.has(path)) model.managed.set(path, [...left]);
  else if (leaf !== undefined) model.user.set(path, leaf);
}

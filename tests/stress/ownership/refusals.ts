import { dirname } from 'node:path';
import { nameOf, type Registry } from './artifacts.ts';
import type { Command } from './engine.ts';
import type { Delivery } from './expect-delivery.ts';
import { isEdited, type Consent, type Model } from './model.ts';
import { hasPlace, isShared, type UserEntry } from './shared-files.ts';
import { isLink, isSameFile, type Tree } from './tree.ts';

export interface Attempt {
  command: Command;
  before: Tree;
  selected: Registry;
  visible: Registry;
  delivery: Delivery;
  /** Files of broken artifacts, which sync ignores (SPEC-73). */
  frozen: ReadonlySet<string>;
  consent: Consent;
  /** Toggles after the command; undefined for a plain sync, which removes them. */
  toggles?: Model['toggles'];
  served: boolean;
  viewer: string;
}

export function explainsRefusal(model: Model, attempt: Attempt, code: string): boolean {
  switch (code) {
    case 'materialize.clash':
      return hasClash(model, attempt);
    case 'materialize.target_invalid':
      return hasObstacle(attempt) || model.lock_lost;
    case 'materialize.lock_missing':
      return model.lock_lost;
    case 'materialize.removal_refused':
      return attempt.command.harness !== undefined || hasLost(model, attempt);
    case 'auth.identity_changed':
      return attempt.served && attempt.viewer !== model.last_viewer && hasLost(model, attempt);
    case 'materialize.content_changed':
    case 'materialize.downgrade_refused':
      return attempt.served;
    case 'registry.not_found':
    case 'config.invalid':
      return attempt.command.toggle !== undefined || attempt.command.flags !== undefined;
    default:
      return false;
  }
}

function hasClash(model: Model, { command, before, delivery, consent }: Attempt): boolean {
  if (delivery.refused || model.lock_lost || model.partial) return true;
  // The copy of a broken artifact is not recorded as catalog's, and may have the name of another
  // artifact.
  const isBroken = [...model.registry.values()].some(({ broken }) => broken);
  const names = Map.groupBy(model.registry.keys(), nameOf).values();
  // The copy keeps the plain name, so another artifact of that name is rejected.
  if (isBroken && [...names].some((ids) => ids.length > 1)) return true;
  const isReleased = [...model.user.keys()].some((path) => !delivery.files.has(path));
  const hasEntry = [...model.entries.values()].flat().some(({ name }) => name !== undefined);
  if (isBroken && (model.foreign_records || isReleased || hasEntry)) return true;
  // Another target that does not run may contain a different edition of the same file.
  if (command.harness !== undefined && model.settings.targets.length > 0) return true;
  for (const [path, leaf] of delivery.files) {
    const now = before.get(path);
    if (model.doubtful.has(path) || (now !== undefined && isLink(now))) return true;
    const isOwn = model.user.has(path) && !consent.takesOver(path);
    if (isOwn && !isSameFile(now, leaf)) return true;
    if ([...before.keys()].some((other) => other.startsWith(`${path}/`))) return true;
    for (let above = dirname(path); above !== '.'; above = dirname(above)) {
      if (before.has(above)) return true;
    }
  }
  return [...delivery.shared.keys()].some(
    (path) =>
      model.entries_unrecorded ||
      model.interrupted !== undefined ||
      [...(model.entries.get(path) ?? []), ...listReturned(model, before, path)].some((entry) =>
        hasPlace(path, delivery.shared.get(path) ?? '', entry),
      ) ||
      model.entry_edits.has(path),
  );
}

function listReturned(model: Model, now: Tree, path: string): UserEntry[] {
  const text = now.get(path) ?? '';
  return (model.replaced_entries.get(path) ?? []).filter((entry) => text.includes(entry.text));
}

function hasObstacle({ before }: Attempt): boolean {
  return [...before].some(
    ([path, leaf]) => isShared(path) && (isLink(leaf) || leaf.startsWith('444')),
  );
}

function hasLost(model: Model, { visible }: Attempt): boolean {
  const { delivered, interrupted, partial, undone } = model;
  if (interrupted !== undefined || partial || undone) return true;
  return [...delivered].some(([id, { edition }]) => visible.get(id)?.edition !== edition);
}

const MIN_ALL = 3;
const MIN_HALF = 10;
const EVERYWHERE: ReadonlySet<string> = new Set(['review', 'release', 'triage']);

/** Lists rejections that SPEC-73 and SPEC-84 require and that a completed sync did not make. */
export function findMissedRefusals(model: Model, attempt: Attempt): string[] {
  const { command, before, delivery } = attempt;
  const { flags = {} } = command;
  const isKnown = (path: string): boolean =>
    before.has(path) && !model.doubtful.has(path) && !isEdited(model, path, before.get(path));
  const present = [...model.managed.keys()].filter(isKnown);
  // The journal of an interrupted sync lists the files that it created (ADR-0057).
  if (model.interrupted !== undefined) return [];
  if (model.lock_lost && flags.recover !== true && present.length > 0) {
    return ['the lock is lost, and the sync was not refused'];
  }
  if (model.partial || model.lock_lost) return [];
  const missed = findUnexpectedContent(model, attempt);
  const lost = [...model.managed.keys()].filter(
    (path) => !delivery.files.has(path) && !model.doubtful.has(path),
  );
  if (command.harness !== undefined) {
    if (model.settings.targets.length > 0 || flags.allow_removal === true) return missed;
    if (model.settings_changed || isMember(command.harness, model.settings.harness)) return missed;
    // A file that the user deleted cannot be removed.
    const others = lost.filter((path) => before.has(path));
    const isOther = !command.harness.split(',').includes(model.settings.harness);
    return isOther && others.length > 0 && hasNotLost(model, attempt)
      ? [...missed, `--harness removed the files of another harness: ${others.join(', ')}`]
      : missed;
  }
  if (model.settings_changed || attempt.toggles !== undefined || hasToggles(model)) return missed;
  const isHidden = [...model.delivered.keys()].some(
    (id) => !attempt.visible.has(id) && EVERYWHERE.has(nameOf(id)),
  );
  if (
    isOtherCaller(model, attempt) &&
    flags.accept_identity !== true &&
    isHidden &&
    lost.length > 0
  ) {
    missed.push(`another caller removed ${lost.join(', ')}`);
  }
  if (flags.allow_removal === true) return missed;
  const added = [...delivery.files.keys()].filter(
    (path) => !model.managed.has(path) && !model.user.has(path),
  );
  const net = lost.length - added.length;
  const isEmpty = delivery.files.size === 0 && delivery.shared.size === 0;
  if (isEmpty && net >= MIN_ALL) missed.push(`all ${net} files were removed`);
  const hasEntries = delivery.shared.size > 0 || [...before.keys()].some(isShared);
  if (!hasEntries && model.managed.size >= MIN_HALF && net * 2 > model.managed.size) {
    missed.push(`${net} of ${model.managed.size} files were removed`);
  }
  return missed;
}

function isMember(harness: string, setting: string): boolean {
  return setting.split(',').every((one) => harness.split(',').includes(one));
}

function hasNotLost(model: Model, attempt: Attempt): boolean {
  return !hasLost(model, attempt);
}

function hasToggles({ toggles }: Model): boolean {
  return toggles.add.size + toggles.remove.size > 0;
}

function isOtherCaller({ last_viewer }: Model, { served, viewer }: Attempt): boolean {
  return served && last_viewer !== undefined && last_viewer !== viewer;
}

function findUnexpectedContent(model: Model, { served, selected, command }: Attempt): string[] {
  if (!served) return [];
  const { flags = {} } = command;
  const missed: string[] = [];
  for (const [id, { edition, version }] of selected) {
    const last = model.delivered.get(id);
    if (last === undefined || !EVERYWHERE.has(nameOf(id))) continue;
    const isRewritten = version === last.version && edition !== last.edition;
    if (isRewritten && flags.accept_changed?.includes(id) !== true) {
      missed.push(`${id}: other content was installed under the same version`);
    }
    if (version < last.version && flags.allow_downgrade !== true) {
      missed.push(`${id}: a lower version was installed`);
    }
  }
  return missed;
}

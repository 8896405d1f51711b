import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { KillPlan } from '../sync-kill/kill-at-operation.ts';
import { nameOf, writeRegistry, type Registry, type Served } from './artifacts.ts';
import { changeRegistry, toVersion } from './change-registry.ts';
import { changeSettings } from './change-settings.ts';
import { withCrash } from './crash.ts';
import {
  repairInterrupted,
  runCommand,
  type Command,
  type Place,
  type ServedState,
} from './engine.ts';
import { openPlace, type Delivery, type DeliveryOracle } from './expect-delivery.ts';
import { forgeLock, forgeState, releaseEdited, replaceHome } from './foreign-records.ts';
import { HARNESSES, USER_HARNESS, type History, type Step, type SyncStep } from './history.ts';
import {
  copyModel,
  findEntryMismatches,
  findLosses,
  findMismatches,
  handOverEntries,
  isCopy,
  isEdited,
  NO_CONSENT,
  openModel,
  type Consent,
  type Model,
} from './model.ts';
import { explainsRefusal, findMissedRefusals, type Attempt } from './refusals.ts';
import {
  settleInterrupted,
  settleRemoved,
  settleSynced,
  settleUndone,
  togglesAfter,
} from './settle.ts';
import { SETTINGS, SETTINGS_NOTE, writeSettings } from './settings.ts';
import { isShared } from './shared-files.ts';
import { isLink, isSameFile, readLeaf, readTree, type Leaf, type Tree } from './tree.ts';
import { findUndoMismatches } from './undo-mismatches.ts';
import { User } from './user.ts';

export interface Counts {
  steps: number;
  syncs: number;
  kills: number;
  refusals: number;
}

export interface Played {
  counts: Counts;
  violation?: { step: number; problems: string[] };
}

const PRELOAD = join(import.meta.dirname, '../sync-kill/kill-at-operation.ts');
const RUN_COMMAND = join(import.meta.dirname, 'run-command.ts');
const KEPT = '.catalog/kept/';
const NO_TOGGLES: Model['toggles'] = { add: new Set(), remove: new Set() };
const NOTHING: Delivery = { files: new Map(), shared: new Map(), refused: false };

export async function playHistory(
  history: History,
  folder: string,
  oracle: DeliveryOracle,
): Promise<Played> {
  rmSync(folder, { recursive: true, force: true });
  const player = new Player(history, folder, oracle);
  try {
    for (const [index, step] of history.steps.entries()) {
      const problems = await player.play(step);
      player.counts.steps += 1;
      if (problems.length > 0) {
        return { counts: player.counts, violation: { step: index, problems } };
      }
    }
    return { counts: player.counts };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Outcome =
  | { kind: 'done' }
  | { kind: 'killed' }
  | { kind: 'refused'; code: string; message: string }
  | { kind: 'broke'; error: unknown };

class Player {
  readonly counts: Counts = { steps: 0, syncs: 0, kills: 0, refusals: 0 };
  readonly #oracle: DeliveryOracle;
  readonly #place: Place;
  readonly #user: User;
  readonly #served: ServedState = { viewer: 'v0', hidden: [], versions: {} };
  #model: Model;

  constructor(
    { harness, listed, served, artifacts }: History,
    folder: string,
    oracle: DeliveryOracle,
  ) {
    this.#oracle = oracle;
    const name = HARNESSES[harness] ?? '';
    this.#place = openPlace(folder, name === USER_HARNESS ? 'user' : 'workspace', served);
    const targets = listed
      ? name.split(',').map((one, index) => ({ id: `t${index}`, harness: one }))
      : [];
    this.#model = openModel({ targets, harness: name, exclude: [] });
    this.#user = new User(this.#place.directory, () => this.#model);
    writeSettings(this.#place, this.#model.settings);
    this.#publish(new Map(artifacts.map((id) => [id, { edition: 1, version: 1, broken: false }])));
  }

  async play(step: Step): Promise<string[]> {
    const before = this.#tree();
    switch (step.kind) {
      case 'sync':
        return this.#sync(step, before);
      case 'toggle':
        return this.#toggle(step, before);
      case 'remove':
        return this.#remove(before);
      case 'undo':
        return this.#undo(before);
      case 'registry':
        this.#publish(changeRegistry(this.#model, step, this.#place.served_file !== undefined));
        return [];
      case 'settings':
        changeSettings(this.#model, step, this.#place.scope);
        writeSettings(this.#place, this.#model.settings);
        return [];
      case 'viewer':
        this.#served.viewer = `v${step.hides}`;
        this.#publish(this.#model.registry);
        return [];
      case 'lose-lock':
        this.#loseLock(step.state_too, before);
        return [];
      case 'new-home':
        // If the home folder is the workspace, a new home folder is empty.
        if (this.#place.scope === 'user') return [];
        if (step.forged) forgeLock(this.#model, this.#place);
        if (step.forged) forgeState(this.#model, this.#place);
        replaceHome(this.#model, this.#place);
        return [];
      case 'forge-lock':
        forgeLock(this.#model, this.#place);
        return [];
      case 'edit-managed':
      case 'add-file':
      case 'edit-file':
      case 'edit-shared':
      default: {
        const selected = this.#selected({ add: new Set(), remove: new Set() });
        this.#user.act(step, before, await this.#expect(selected), selected);
        return [];
      }
    }
  }

  #tree(): Tree {
    return readTree(this.#place.directory);
  }

  #publish(registry: Registry): void {
    const model = this.#model;
    writeRegistry(this.#place.registry, registry, model.registry);
    model.registry = new Map(registry);
    const { served_file } = this.#place;
    if (served_file === undefined) return;
    for (const [id, { version }] of registry) {
      const listed = this.#served.versions[id] ?? [];
      if (!listed.includes(toVersion(version))) listed.push(toVersion(version));
      this.#served.versions[id] = listed;
    }
    const hides = Number(this.#served.viewer.slice(1));
    this.#served.hidden = [...registry.keys()].filter((_id, index) => index % 4 < hides);
    writeFileSync(served_file, JSON.stringify(this.#served));
  }

  #visible(): Map<string, Served> {
    const hidden = this.#place.served_file === undefined ? [] : this.#served.hidden;
    return new Map([...this.#model.registry].filter(([id]) => !hidden.includes(id)));
  }

  /** Returns the artifacts that a sync installs; a broken artifact keeps its last version (SPEC-73). */
  #selected({ add, remove }: Model['toggles']): Map<string, Served> {
    const { settings, delivered } = this.#model;
    const selected = new Map<string, Served>();
    for (const [id, served] of this.#visible()) {
      if (remove.has(id) || (settings.exclude.includes(id) && !add.has(id))) continue;
      const last = delivered.get(id);
      if (!served.broken) selected.set(id, served);
      else if (last !== undefined) selected.set(id, { ...last, broken: false });
    }
    return selected;
  }

  #expect(selected: Registry, harness?: string): Promise<Delivery> {
    const { scope } = this.#place;
    return this.#oracle.expect(selected, this.#model.settings, {
      scope,
      tree: this.#tree(),
      harness,
    });
  }

  async #frozen(selected: Registry, delivery: Delivery, harness?: string): Promise<Set<string>> {
    const readable = withoutBroken(selected, this.#model.registry);
    if (readable.size === selected.size) return new Set();
    const { files } = await this.#expect(readable, harness);
    return new Set([...delivery.files.keys()].filter((path) => !files.has(path)));
  }

  async #sync(step: SyncStep, before: Tree): Promise<string[]> {
    const selected = this.#selected({ add: new Set(), remove: new Set() });
    const harness =
      step.harness === undefined || this.#place.scope === 'user'
        ? undefined
        : HARNESSES[step.harness];
    const delivery = await this.#expect(selected, harness);
    const globs = this.#takeOver(step, delivery);
    const command: Command = {
      name: 'sync',
      ...(harness === undefined ? {} : { harness }),
      flags: {
        ...(globs === undefined ? {} : { take_over: globs }),
        ...(step.recover === true ? { recover: true } : {}),
        ...(step.allow_removal === true ? { allow_removal: true } : {}),
        ...(step.accept_identity === true ? { accept_identity: true } : {}),
        ...(step.allow_downgrade === true ? { allow_downgrade: true } : {}),
        ...(step.accept_changed === true ? { accept_changed: [...selected.keys()] } : {}),
      },
    };
    const consent: Consent =
      globs === undefined
        ? NO_CONSENT
        : { takesOver: (path) => globs.some((glob) => glob === '**' || glob === path) };
    const frozen = await this.#frozen(selected, delivery, harness);
    return this.#attempt(step, command, { before, selected, delivery, frozen, consent });
  }

  #takeOver({ take_over }: SyncStep, delivery: Delivery): string[] | undefined {
    if (take_over === undefined) return undefined;
    const own = [...this.#model.user.keys()].find((path) => delivery.files.has(path));
    return [take_over === 'all' ? '**' : (own ?? '.mcp.json')];
  }

  async #toggle(step: Extract<Step, { kind: 'toggle' }>, before: Tree): Promise<string[]> {
    const { settings, registry, toggles } = this.#model;
    const ids =
      step.state === 'enable' ? [...settings.exclude, ...toggles.remove] : [...registry.keys()];
    const id = ids[Math.floor(step.pick * ids.length)];
    if (id === undefined) return [];
    const save = step.save && this.#place.served_file === undefined;
    // The lock holds the toggles. A run without a lock starts with none.
    const kept = this.#model.lock_lost ? NO_TOGGLES : toggles;
    const next = { add: new Set(kept.add), remove: new Set(kept.remove) };
    next.add.delete(id);
    next.remove.delete(id);
    if (!save) next[step.state === 'enable' ? 'add' : 'remove'].add(id);
    const exclude = settings.exclude.filter((one) => one !== id);
    if (save) settings.exclude = step.state === 'disable' ? [...exclude, id] : exclude;
    const selected = this.#selected(next);
    const delivery = await this.#expect(selected);
    const command: Command = { name: 'sync', toggle: { ids: [id], state: step.state, save } };
    const problems = await this.#attempt({ kind: 'sync' }, command, {
      before,
      selected,
      delivery,
      frozen: await this.#frozen(selected, delivery),
      consent: NO_CONSENT,
      toggles: next,
    });
    if (!save) return problems;
    const text = readFileSync(`${this.#place.directory}/${SETTINGS}`, 'utf8');
    const isSaved = text.includes(`- ${id}\n`);
    this.#model.settings.exclude = isSaved ? [...exclude, id] : exclude;
    const lost = [SETTINGS_NOTE, '  on_clash: qualify'].filter((line) => !text.includes(line));
    return [...problems, ...lost.map((line) => `${SETTINGS}: the user's line was lost: ${line}`)];
  }

  async #attempt(
    step: SyncStep,
    command: Command,
    run: Omit<Attempt, 'command' | 'visible' | 'served' | 'viewer'>,
  ): Promise<string[]> {
    const { before, delivery, consent } = run;
    releaseEdited(this.#model, before);
    const lock = this.#lock();
    const attempt: Attempt = {
      ...run,
      command,
      visible: this.#visible(),
      served: this.#place.served_file !== undefined,
      viewer: this.#served.viewer,
    };
    let saved: string | undefined;
    let started = false;
    const { directory } = this.#place;
    const { save } = step;
    const outcome = await this.#run(command, step, () => {
      started = true;
      if (save === undefined) return;
      saved = this.#user.saveDuringSync(save, before, delivery);
      // From now on, the model treats the file as existing from the start.
      if (saved !== undefined) before.set(saved, readLeaf(join(directory, saved)));
    });
    this.counts.syncs += 1;
    let after = this.#tree();
    // After a kill, a file may have been moved aside; the next command restores it (SPEC-90).
    const isAside =
      (lock !== undefined && this.#lock() === undefined) ||
      [...before.keys()].some((path) => !after.has(path));
    if (outcome.kind === 'killed' && isAside) {
      repairInterrupted(this.#place);
      after = this.#tree();
    }
    const isCut = outcome.kind === 'killed' || (outcome.kind !== 'done' && started);
    if (outcome.kind === 'broke' && !isCut) return [`the sync broke: ${String(outcome.error)}`];
    if (isCut) {
      this.counts.kills += 1;
      const losses = findLosses(this.#model, before, after, consent);
      settleInterrupted(this.#model, attempt, after, saved);
      const written = this.#lock();
      // The lock is written last, with the artifacts and the toggles.
      if (written !== undefined && written !== lock) {
        this.#model.delivered = new Map(run.selected);
        this.#model.toggles = togglesAfter(run);
      }
      return [...losses, ...this.#settingsProblems(command, before, after)];
    }
    if (outcome.kind === 'refused') {
      this.counts.refusals += 1;
      const { code, message } = outcome;
      const problems = explainsRefusal(this.#model, attempt, code)
        ? []
        : [`the sync was refused without a reason: ${code}: ${message}`];
      const repaired = withRepairs(before, after, this.#model);
      const isSame =
        sameTree(repaired, after, command.toggle?.save === true) && lock === this.#lock();
      return isSame ? problems : [...problems, `a refused sync changed something (${code})`];
    }
    return this.#judgeDone(attempt, after, saved);
  }

  #judgeDone(attempt: Attempt, after: Tree, saved: string | undefined): string[] {
    const model = this.#model;
    const { before, selected, delivery, consent, command } = attempt;
    const missed = findMissedRefusals(model, attempt);
    if (model.lock_lost) this.#forgetLostEdits(before, command.flags?.recover === true);
    const previous = copyModel(model);
    const wasPartial = model.partial;
    const isPartial = command.harness !== undefined && model.settings.targets.length > 0;
    // The user confirmed the list: a marker is evidence for `--recover` (ADR-0057), regardless of
    // the value.
    if (command.flags?.recover === true) handOverEntries(model, delivery, () => true);
    const problems = [...missed, ...findLosses(model, before, after, consent)];
    model.may_differ_in_place = this.#isFrozenElsewhere(attempt);
    const isExact = !isPartial && !model.may_differ_in_place;
    if (isExact && saved === undefined) {
      problems.push(...findMismatches(model, before, after, attempt));
    }
    settleSynced(model, { ...attempt, exact: isExact, saved, previous }, after);
    if (isExact && !wasPartial && saved === undefined) {
      problems.push(
        ...findEntryMismatches(model, after, withoutBroken(selected, model.registry), delivery),
      );
    }
    problems.push(...this.#settingsProblems(command, before, after));
    return problems;
  }

  /**
   * True if a broken artifact may be installed differently than it would be today. Its copy does
   * not move to another harness, or to another name if an artifact with the same name is added or
   * removed.
   */
  #isFrozenElsewhere({ command }: Attempt): boolean {
    const { registry, delivered, interrupted } = this.#model;
    const { settings_changed, partial, may_differ_in_place: may_differ } = this.#model;
    const isOpen =
      settings_changed ||
      partial ||
      may_differ ||
      interrupted !== undefined ||
      command.harness !== undefined;
    return [...registry].some(
      ([id, { broken }]) =>
        broken &&
        (isOpen ||
          [...registry.keys(), ...delivered.keys()].some(
            (other) => other !== id && nameOf(other) === nameOf(id),
          )),
    );
  }

  /** Without the lock, an edited file is the user's (what-catalog-may-touch, "Recover a lost lock"). */
  #forgetLostEdits(before: Tree, recovers: boolean): void {
    const model = this.#model;
    const paths = [...model.managed.keys()];
    for (const path of paths) {
      const leaf = before.get(path);
      if (leaf !== undefined && model.interrupted !== undefined) model.doubtful.add(path);
      else if (leaf === undefined || !recovers || isEdited(model, path, leaf)) {
        model.managed.delete(path);
        if (leaf !== undefined) model.user.set(path, leaf);
      }
    }
  }

  #settingsProblems(command: Command, before: Tree, after: Tree): string[] {
    if (command.toggle?.save === true || before.get(SETTINGS) === after.get(SETTINGS)) return [];
    return [`${SETTINGS}: the user's settings were changed`];
  }

  async #remove(before: Tree): Promise<string[]> {
    const model = this.#model;
    releaseEdited(model, before);
    const outcome = await this.#run({ name: 'remove' }, { kind: 'sync' });
    const after = this.#tree();
    if (outcome.kind === 'refused') {
      this.counts.refusals += 1;
      const isExpected = outcome.code === 'materialize.lock_missing' && model.lock_lost;
      const isReadOnly = outcome.code === 'materialize.target_invalid';
      return isExpected || (isReadOnly && hasObstacle(before))
        ? []
        : [`the removal was refused: ${outcome.message}`];
    }
    if (outcome.kind !== 'done') return [`the removal broke: ${JSON.stringify(outcome)}`];
    const previous = copyModel(model);
    if (model.lock_lost) this.#forgetLostEdits(before, false);
    const problems = [
      ...findLosses(model, before, after, NO_CONSENT),
      ...findMismatches(model, before, after, {
        delivery: NOTHING,
        frozen: new Set(),
        consent: NO_CONSENT,
      }),
      ...findEntryMismatches(model, after, new Map(), NOTHING),
    ];
    for (const [path, leaf] of model.pristine) {
      if (!model.entries_unrecorded && !isSameFile(after.get(path), leaf)) {
        problems.push(`${path}: is not what it was before catalog`);
      }
    }
    settleRemoved(model, before, after, previous);
    return problems;
  }

  async #undo(before: Tree): Promise<string[]> {
    const model = this.#model;
    const outcome = await this.#run({ name: 'undo' }, { kind: 'sync' });
    const after = this.#tree();
    if (outcome.kind === 'refused') {
      this.counts.refusals += 1;
      const isExpected =
        model.interrupted !== undefined ||
        model.lock_lost ||
        model.undo.every((point) =>
          sameTree(catalogPart(point.before, model), catalogPart(point.after, model)),
        );
      const problems = isExpected ? [] : [`undo was refused: ${outcome.message}`];
      const isSame = sameTree(withRepairs(before, after, model), after);
      return isSame ? problems : [...problems, 'a refused undo changed something'];
    }
    if (outcome.kind !== 'done') return [`undo broke: ${JSON.stringify(outcome)}`];
    // A sync that was killed after its last step can be undone too.
    const { interrupted } = model;
    const points = interrupted === undefined ? model.undo : [interrupted, ...model.undo];
    const judged = points.map((point) => ({
      point,
      problems: findUndoMismatches(point, before, after),
    }));
    const [undone = judged[0], ...others] = judged.filter(({ problems }) => problems.length === 0);
    if (undone === undefined) return sameTree(before, after) ? [] : ['undo had nothing to undo'];
    if (model.lock_lost) this.#forgetLostEdits(before, false);
    const rivals = others.map(({ point }) => point);
    settleUndone(model, [undone.point, ...rivals], before, after);
    return undone.problems;
  }

  #loseLock(state_too: boolean, before: Tree): void {
    const model = this.#model;
    const { directory } = this.#place;
    const path = `${directory}/.catalog/sync.lock`;
    const had = existsSync(path);
    rmSync(path, { force: true });
    if (!state_too) {
      model.lock_lost ||= had;
      return;
    }
    rmSync(`${directory}/.catalog/state`, { recursive: true, force: true });
    for (const [managed] of model.managed) {
      const leaf = before.get(managed);
      if (leaf !== undefined) model.user.set(managed, leaf);
    }
    model.managed.clear();
    model.doubtful.clear();
    model.managed_entries.clear();
    model.pristine.clear();
    model.delivered.clear();
    model.replaced.clear();
    Object.assign(model, {
      lock_lost: false,
      entries_unrecorded: true,
      interrupted: undefined,
      undo: [],
      last_viewer: undefined,
      settings_changed: true,
    });
  }

  async #run(
    command: Command,
    { crash, in_child }: SyncStep,
    onJournal?: () => void,
  ): Promise<Outcome> {
    const { directory } = this.#place;
    try {
      if (crash !== undefined && in_child === true) return await this.#runInChild(command, crash);
      const run = await withCrash(directory, { crash, onJournal }, () =>
        runCommand(this.#place, command),
      );
      return { kind: run.died ? 'killed' : 'done' };
    } catch (error) {
      if (!(error instanceof CatalogError)) return { kind: 'broke', error };
      return { kind: 'refused', code: error.code, message: error.message };
    }
  }

  /**
   * Runs a command in a separate process, which gets SIGKILL at an operation unless it exits
   * earlier.
   */
  async #runInChild(command: Command, crash: NonNullable<SyncStep['crash']>): Promise<Outcome> {
    const plan: KillPlan = { under: this.#place.directory, ...crash };
    const child = spawn(
      process.execPath,
      [
        '--conditions=@catalog/source',
        '--import',
        pathToFileURL(PRELOAD).href,
        RUN_COMMAND,
        JSON.stringify({ place: this.#place, command }),
      ],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
        env: { ...process.env, KILL_PLAN: JSON.stringify(plan) },
      },
    );
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    await once(child, 'close');
    if (child.signalCode === 'SIGKILL') return { kind: 'killed' };
    const outcome: Outcome = JSON.parse(output);
    return outcome;
  }

  #lock(): string | undefined {
    const path = join(this.#place.directory, '.catalog/sync.lock');
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  }
}

function withoutBroken(selected: Registry, registry: Registry): Registry {
  return new Map([...selected].filter(([id]) => registry.get(id)?.broken !== true));
}

function catalogPart(tree: Tree, { user, own_shared }: Model): Tree {
  const isOwn = (path: string): boolean =>
    isCopy(path) || user.has(path) || own_shared.has(path) || path === SETTINGS;
  return new Map([...tree].filter(([path]) => !isOwn(path)));
}

/**
 * Includes the files that the command restored after an interrupted one (SPEC-90). It may also have
 * moved late writes of another program, or files moved aside by another user's command, to
 * `.catalog/kept`.
 */
function withRepairs(before: Tree, after: Tree, { interrupted }: Model): Tree {
  const kept = [...after].filter(([path]) => path.startsWith(KEPT) && !before.has(path));
  if (interrupted === undefined) return new Map([...before, ...kept]);
  const states = [interrupted.before, ...interrupted.between.map(({ tree }) => tree)];
  const isRepaired = ([path, leaf]: [string, Leaf]): boolean =>
    !before.has(path) && states.some((tree) => tree.get(path) === leaf);
  return new Map([...before, ...kept, ...[...after].filter(isRepaired)]);
}

function sameTree(a: Tree, b: Tree, exceptSettings = false): boolean {
  const paths = new Set([...a.keys(), ...b.keys()]);
  return [...paths].every(
    (path) => a.get(path) === b.get(path) || (exceptSettings && path === SETTINGS),
  );
}

function hasObstacle(tree: Tree): boolean {
  return [...tree].some(
    ([path, leaf]) => isShared(path) && (isLink(leaf) || leaf.startsWith('444')),
  );
}

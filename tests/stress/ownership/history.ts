import { seededRandom, type SeededRandom } from '../../../tools/seeded-random.ts';
import { NAMES, TEAMS } from './artifacts.ts';
import type { Crash } from './crash.ts';

/**
 * `pick` selects from the existing items when the step is played, from 0 up to 1, so that a step
 * remains valid after others were removed.
 */
export type Step =
  | SyncStep
  | { kind: 'toggle'; state: 'enable' | 'disable'; save: boolean; pick: number }
  | { kind: 'remove' }
  | { kind: 'undo' }
  | { kind: 'registry'; change: RegistryChange; pick: number }
  | { kind: 'settings'; change: SettingsChange; pick: number }
  | { kind: 'viewer'; hides: number }
  | { kind: 'lose-lock'; state_too: boolean }
  | { kind: 'new-home'; forged: boolean }
  | { kind: 'forge-lock' }
  | { kind: 'edit-managed'; how: ManagedEdit; pick: number }
  | { kind: 'add-file'; how: AddedFile; pick: number }
  | { kind: 'edit-file'; how: 'edit' | 'delete'; pick: number }
  | { kind: 'edit-shared'; how: SharedEdit; pick: number };

export interface SyncStep {
  kind: 'sync';
  take_over?: 'all' | 'one';
  recover?: true;
  allow_removal?: true;
  accept_identity?: true;
  accept_changed?: true;
  allow_downgrade?: true;
  /** Harness of `--harness`, by its index in `HARNESSES`. */
  harness?: number;
  crash?: Crash;
  /** The crash ends a real process with SIGKILL. */
  in_child?: true;
  save?: Save;
}

/** A save during a sync: the kind of file, and the way in which the editor writes it. */
export interface Save {
  how: 'new' | 'managed' | 'shared';
  by: 'append' | 'truncate' | 'rename';
  pick: number;
}

type RegistryChange =
  | 'add'
  | 'add-many'
  | 'change'
  | 'drop'
  | 'drop-most'
  | 'drop-all'
  | 'rename'
  | 'break'
  | 'repair'
  | 'rewrite'
  | 'downgrade';
type SettingsChange = 'harness' | 'list' | 'rename-target' | 'exclude' | 'include';
type ManagedEdit = 'append' | 'crlf' | 'delete' | 'link' | 'executable' | 'hard-link' | 'private';
type AddedFile =
  | 'equal'
  | 'different'
  | 'crlf'
  | 'private'
  | 'link'
  | 'folder'
  | 'other-case'
  | 'beside';
type SharedEdit = 'add' | 'take-place' | 'same-value' | 'edit-managed' | 'rewrite' | 'read-only';

export interface History {
  seed: string;
  /** Index in `HARNESSES`. */
  harness: number;
  listed: boolean;
  served: boolean;
  artifacts: string[];
  steps: Step[];
}

/** Values of `harness` in `sync.yaml`. */
export const HARNESSES = ['claude-code', 'codex', 'cursor', 'claude-code,codex', 'hermes'];
/** The only harness with YAML, in the home folder. */
export const USER_HARNESS = 'hermes';

const CRASH_HOWS = ['before', 'half-way', 'after'] as const;
const MAX_OPERATION = 60;
/** One crash in this many happens in a separate process. */
const IN_CHILD = 60;

export function drawHistory(seed: string): History {
  const random = seededRandom(`ownership ${seed}`);
  const many = random.int(4) === 0;
  const artifacts = TEAMS.flatMap((team) => NAMES.map((name) => `${team}/${name}`)).filter((id) =>
    id.startsWith('ops/') ? random.int(many ? 8 : 2) > 0 : random.int(many ? 3 : 8) === 0,
  );
  const length = 5 + random.int(10);
  const steps = Array.from({ length }, () =>
    random.int(8) === 0 ? drawScene(random) : [drawStep(random)],
  ).flat();
  // The checks need a final sync.
  steps.push({ kind: 'sync' });
  if (random.int(2) === 0) steps.push({ kind: 'remove' });
  return {
    seed,
    harness: random.int(HARNESSES.length),
    listed: random.int(2) === 0,
    served: random.int(3) === 0,
    artifacts,
    steps,
  };
}

function drawStep(random: SeededRandom): Step {
  const pick = random.next();
  const draw = random.int(100);
  if (draw < 38) return drawSync(random);
  if (draw < 42) {
    const state = random.pick(['enable', 'disable'] as const);
    return { kind: 'toggle', state, save: random.int(2) === 0, pick };
  }
  if (draw < 44) return { kind: 'remove' };
  if (draw < 50) return { kind: 'undo' };
  if (draw < 66) return { kind: 'registry', change: drawRegistryChange(random), pick };
  if (draw < 70) {
    const changes = ['harness', 'list', 'rename-target', 'exclude', 'include'] as const;
    return { kind: 'settings', change: random.pick(changes), pick };
  }
  if (draw < 72) return { kind: 'viewer', hides: random.int(4) };
  if (draw < 74) return { kind: 'lose-lock', state_too: random.int(3) === 0 };
  if (draw < 76) return { kind: 'new-home', forged: random.int(2) === 0 };
  if (draw < 77) return { kind: 'forge-lock' };
  if (draw < 83) {
    const hows = [
      ...(['append', 'append', 'append', 'crlf', 'delete', 'link'] as const),
      ...(['executable', 'hard-link', 'private'] as const),
    ];
    return { kind: 'edit-managed', how: random.pick(hows), pick };
  }
  if (draw < 90) {
    const hows = [
      ...(['equal', 'equal', 'equal', 'different', 'different', 'crlf'] as const),
      ...(['private', 'link', 'folder', 'other-case', 'beside'] as const),
    ];
    return { kind: 'add-file', how: random.pick(hows), pick };
  }
  if (draw < 92) return { kind: 'edit-file', how: random.pick(['edit', 'delete'] as const), pick };
  const hows = [
    ...(['add', 'add', 'take-place', 'same-value', 'same-value'] as const),
    ...(['edit-managed', 'edit-managed', 'rewrite', 'read-only'] as const),
  ];
  return { kind: 'edit-shared', how: random.pick(hows), pick };
}

/** Draws a sequence of steps that rarely results from single draws. */
function drawScene(random: SeededRandom): Step[] {
  const pick = random.next();
  const sync: Step = { kind: 'sync' };
  const edit: Step = { kind: 'edit-managed', how: 'append', pick };
  const change = (name: RegistryChange): Step => ({ kind: 'registry', change: name, pick });
  const shared = (how: SharedEdit): Step => ({ kind: 'edit-shared', how, pick });
  return random.pick<Step[]>([
    [sync, edit, { kind: 'lose-lock', state_too: false }, { kind: 'sync', recover: true }],
    [sync, random.pick([edit, shared('edit-managed')]), { kind: 'new-home', forged: false }, sync],
    [sync, { kind: 'new-home', forged: true }, change('drop'), sync, { kind: 'undo' }],
    [
      sync,
      { kind: 'settings', change: 'rename-target', pick },
      change(random.pick(['break', 'drop-most', 'drop-all', 'rewrite'] as const)),
      sync,
    ],
    [sync, { kind: 'viewer', hides: random.int(4) }, sync],
    [sync, random.pick([edit, shared('add'), shared('edit-managed')]), { kind: 'undo' }, sync],
    [sync, edit, change('drop'), sync, change('add'), sync],
    [shared('add'), shared('read-only'), change('add-many'), sync],
    [
      { kind: 'add-file', how: 'different', pick },
      { kind: 'sync', take_over: 'all' },
      { kind: 'undo' },
    ],
  ]);
}

function drawRegistryChange(random: SeededRandom): RegistryChange {
  return random.pick([
    ...(['add', 'add', 'change', 'change', 'change', 'drop', 'drop', 'drop'] as const),
    ...(['add-many', 'drop-most', 'drop-all', 'rename', 'break', 'break', 'repair'] as const),
    ...(['rewrite', 'downgrade'] as const),
  ]);
}

function drawSync(random: SeededRandom): SyncStep {
  const step: SyncStep = { kind: 'sync' };
  const draw = random.int(100);
  if (draw < 22) {
    step.crash = { at: 1 + random.int(MAX_OPERATION), how: random.pick(CRASH_HOWS) };
    if (random.int(IN_CHILD) === 0) step.in_child = true;
  } else if (draw < 30) {
    const how = random.pick(['new', 'managed', 'shared'] as const);
    const by = random.pick(['append', 'truncate', 'rename'] as const);
    step.save = { how, by, pick: random.next() };
  } else if (draw < 38) step.take_over = random.pick(['all', 'one'] as const);
  else if (draw < 44) step.recover = true;
  else if (draw < 54) step.allow_removal = true;
  else if (draw < 58) step.accept_identity = true;
  else if (draw < 62) step.accept_changed = true;
  else if (draw < 65) step.allow_downgrade = true;
  else if (draw < 69) step.harness = random.int(3);
  // Any of these flags can be combined with a crash.
  if (step.crash !== undefined && random.int(4) === 0) step.take_over = 'all';
  if (step.harness !== undefined && random.int(3) === 0) step.allow_removal = true;
  return step;
}

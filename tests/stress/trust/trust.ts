import { mkdirSync } from 'node:fs';
import { seededRandom, type SeededRandom } from '../../../tools/seeded-random.ts';
import type { Shrunk, StressResult, StressSession, StressTest } from '../stress-test.ts';
import { drawAttacks, drawMore } from './attacks.ts';
import { drawInvocation, type Invocation } from './commands.ts';
import { startListeners, TRICKS, type Listeners } from './hostile-registry.ts';
import type { Trick } from './scenario.ts';
import { listOutputProblems } from './hostile-text.ts';
import {
  listDelivered,
  listMarked,
  listRunByOthers,
  makePlace,
  MARK,
  readSurroundings,
  SECRETS,
  type Attack,
  type Place,
  type Preparation,
} from './place.ts';
import { isAllowedProcess, runInvocation } from './run-program.ts';
import { drawScenario } from './scenarios.ts';
import { readMetadata } from './version-control.ts';

export const trust: StressTest = {
  name: 'trust',
  summary:
    'Hostile workspaces and registries against every command: before consent nothing is written ' +
    'outside the workspace or into version control, no process is started, and no credential goes to an ' +
    'origin the user did not name. Words of registries and imported artifacts are quoted or marked, and ' +
    'no credential is printed.',
  n: 2000,
  bugs: 'tests/stress/trust/planted-bugs.json',
  bug_n: 600,
  is_built: true,
  open,
};

interface History extends Preparation {
  attacks: Attack[];
  trick: Trick;
  env: Record<string, string>;
  /** True if the user named a registry, which may then install executable content. */
  named: boolean;
  invocations: Invocation[];
}

function open(folder: string): StressSession {
  mkdirSync(folder, { recursive: true });
  const listening = startListeners();
  const root = `${folder}/place`;

  async function draw(
    seed: string,
  ): Promise<{ history: History; place: Place; listeners: Listeners }> {
    const listeners = await listening;
    const place: Place = {
      root,
      work: `${root}/work`,
      home: `${root}/home`,
      outside: `${root}/outside`,
      hostile: listeners.hostile,
      payload: (name) => `touch ${root}/traces/${MARK}-${name}`,
    };
    return { history: drawHistory(seed, place, listeners), place, listeners };
  }

  return {
    play: async (seed) => {
      const { history, place, listeners } = await draw(seed);
      return play(history, place, listeners);
    },
    shrink: async (seed) => {
      const { history, place, listeners } = await draw(seed);
      return shrink(history, (smaller) => play(smaller, place, listeners));
    },
  };
}

/** Draws half of the histories from scenarios and the other half from independent parts. */
function drawHistory(seed: string, place: Place, { real }: Listeners): History {
  const random = seededRandom(seed);
  const drawn =
    random.next() < 0.5
      ? drawFromScenario(random, place, real)
      : drawIndependently(random, place, real);
  const named =
    drawn.env['CATALOG_REGISTRY'] !== undefined ||
    drawn.invocations.some((one) => one.kind === 'cli' && one.words.includes('--registry'));
  return { ...drawn, named };
}

type Drawn = Omit<History, 'named'>;

function drawFromScenario(random: SeededRandom, place: Place, real: string): Drawn {
  const scenario = drawScenario(random, place, real);
  const { attacks, trick, invocation, user, trusted = false, env: own = {} } = scenario;
  const env: Record<string, string> = { ...own };
  if (user !== undefined || trusted) {
    // Other commands and files could use permissions that the user gave.
    const prepared = { user, trusted, env, trick: trick ?? random.pick(TRICKS) };
    return { ...prepared, attacks, invocations: [invocation] };
  }
  if (random.next() < 0.1) env['CATALOG_TOKEN'] = SECRETS.environment;
  if (random.next() < 0.5) env['CATALOG_MATERIALIZE_ROOT'] = place.work;
  return {
    attacks: [...attacks, ...drawMore(random, place, 0.05)],
    trick: trick ?? random.pick(TRICKS),
    env,
    invocations: [invocation, ...(random.next() < 0.3 ? [drawInvocation(random, real)] : [])],
    ...UNPREPARED,
  };
}

function drawIndependently(random: SeededRandom, place: Place, real: string): Drawn {
  const env: Record<string, string> = {};
  if (random.next() < 0.5) env['CATALOG_TOKEN'] = SECRETS.environment;
  if (random.next() < 0.25) env['CATALOG_REGISTRY'] = real;
  if (random.next() < 0.5) env['CATALOG_MATERIALIZE_ROOT'] = place.work;
  const attacks = drawAttacks(random, place);
  const trick = random.pick(TRICKS);
  const count = 1 + random.int(2);
  const invocations = Array.from({ length: count }, () => drawInvocation(random, real));
  return { attacks, trick, env, invocations, ...UNPREPARED };
}

const UNPREPARED: Preparation = { user: undefined, trusted: false };

async function play(history: History, place: Place, listeners: Listeners): Promise<StressResult> {
  const served = { payload: (name: string) => place.payload(`served-${name}`) };
  listeners.play(history.trick, served);
  makePlace(place, history.attacks, listeners.real, history);
  const before = readSurroundings(place.root);
  const metadata = readMetadata(place.work);
  const marked = new Set(listMarked(place.work));
  const run_by_others = new Set(listRunByOthers(place.work));
  const problems: string[] = [];
  const counts = { commands: 0, succeeded: 0, 'processes started': 0 };
  for (const invocation of history.invocations) {
    const { processes, code, output } = await runInvocation(invocation, place, history.env);
    problems.push(...listOutputProblems(invocation, output));
    counts.commands += 1;
    counts.succeeded += Number(code === 0);
    counts['processes started'] += processes.length;
    for (const one of processes) {
      if (!isAllowedProcess(one)) problems.push(`started ${JSON.stringify(one)}`);
    }
  }
  const after = readSurroundings(place.root);
  if (history.invocations.some(startsRegistry)) after.delete(OWN_CONFIGURATION);
  problems.push(...compare(before, after, 'of the user'));
  problems.push(...compare(metadata, readMetadata(place.work), 'inside version control'));
  for (const { origin, text } of listeners.seen) {
    if (origin === listeners.real) continue;
    for (const secret of Object.values(SECRETS)) {
      if (text.includes(secret))
        problems.push(`sent ${secret} to ${origin}: ${text.split('\n')[0] ?? ''}`);
    }
  }
  for (const path of listRunByOthers(place.work)) {
    if (!run_by_others.has(path)) problems.push(`wrote ${path}, which other programs run`);
  }
  if (!history.named) {
    for (const path of listDelivered(place.work, marked))
      problems.push(`delivered a payload in ${path}`);
  }
  return { counts: { ...counts, 'requests received': listeners.seen.length }, problems };
}

/** The first `catalog serve` of a user writes this file, regardless of the clone. */
const OWN_CONFIGURATION = 'home/.catalog/sync.yaml';

function startsRegistry(invocation: Invocation): boolean {
  return invocation.kind === 'cli' && invocation.words[0] === 'serve';
}

function compare(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  where: string,
): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths]
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => {
      const what = before.has(path) ? (after.has(path) ? 'changed' : 'deleted') : 'created';
      return `${what} ${path} ${where}`;
    });
}

async function shrink(
  history: History,
  replay: (history: History) => Promise<StressResult>,
): Promise<Shrunk | undefined> {
  let current = history;
  let { problems } = await replay(current);
  if (problems.length === 0) return undefined;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const smaller of listSmaller(current)) {
      const result = await replay(smaller);
      if (result.problems.length === 0) continue;
      current = smaller;
      ({ problems } = result);
      isSmaller = true;
      break;
    }
  }
  return { steps: describe(current), problems };
}

function listSmaller(history: History): History[] {
  const { attacks, invocations, env } = history;
  return [
    ...invocations
      .map((_, index) => ({ ...history, invocations: invocations.toSpliced(index, 1) }))
      .filter((smaller) => smaller.invocations.length > 0),
    ...attacks.map((_, index) => ({ ...history, attacks: attacks.toSpliced(index, 1) })),
    ...Object.keys(env).map((name) => {
      const { [name]: _, ...rest } = env;
      return { ...history, env: rest };
    }),
  ];
}

function describe({ attacks, trick, env, invocations, user, trusted }: History): string[] {
  return [
    `registry: ${trick}, environment: ${JSON.stringify(env)}`,
    ...(user === undefined ? [] : [`~/.catalog/sync.yaml:\n${user}`]),
    ...(trusted ? ['the user trusts sync.yaml'] : []),
    ...attacks.map(({ name, planted }) => {
      const config = planted.find(({ path }) => /sync(?:\.local)?\.yaml$/.test(path));
      return config?.kind === 'file' ? `${name}:\n${config.text}` : name;
    }),
    ...invocations.map((one) =>
      one.kind === 'cli'
        ? `catalog ${one.words.join(' ')}`
        : `catalog-mcp ${JSON.stringify(one.calls)}`,
    ),
  ];
}

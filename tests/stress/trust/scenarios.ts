import type { SeededRandom } from '../../../tools/seeded-random.ts';
import {
  configuration,
  drawMarketplace,
  forgedJournal,
  forgedLock,
  forgedUndo,
  HARNESSES,
  mcpEntries,
  ownArtifacts,
} from './attacks.ts';
import type { Invocation } from './commands.ts';
import type { Trick } from './hostile-registry.ts';
import type { Attack, Place } from './place.ts';

/** A hostile clone and the command that triggers its attack, which a single check prevents. */
export interface Scenario {
  attacks: Attack[];
  /** What the registry tries; undefined if the scenario works with every trick. */
  trick?: Trick;
  invocation: Invocation;
}

/** Draws a scenario: parts that are drawn independently rarely match. */
export function drawScenario(random: SeededRandom, place: Place): Scenario {
  return random.pick(SCENARIOS)(random, place);
}

const SCENARIOS: readonly ((random: SeededRandom, place: Place) => Scenario)[] = [
  servedContent,
  signedInElsewhere,
  marketplace,
  forgedState,
  serverEntry,
  needsTrust,
];

/** The clone names a registry that serves executable content. */
function servedContent(random: SeededRandom, place: Place): Scenario {
  const lines = [namesRegistry(random, place.hostile)];
  if (random.next() < 0.3) lines.push('executable_content: [{policy: allow}]');
  const load = { name: 'load_artifact', arguments: { id: random.pick(['x/skill', 'x/hook']) } };
  return {
    attacks: [configuration('sync.yaml', lines, place)],
    trick: 'serve',
    invocation: random.pick([
      cli('sync'),
      cli('sync', '--json'),
      cli('update'),
      { kind: 'mcp', calls: [load] },
    ]),
  };
}

/** The user is signed in to one registry, and the clone names another. */
function signedInElsewhere(random: SeededRandom, place: Place): Scenario {
  return {
    attacks: [configuration('sync.yaml', [namesRegistry(random, place.hostile)], place)],
    invocation: random.pick([
      cli('sync'),
      cli('outdated'),
      cli('search', 'release'),
      cli('whoami'),
      cli('logout'),
      { kind: 'mcp', calls: [{ name: 'search_artifacts', arguments: { query: 'release' } }] },
    ]),
  };
}

/** The clone lists a marketplace, and the user publishes marketplaces. */
function marketplace(random: SeededRandom, place: Place): Scenario {
  const lines = [
    namesRegistry(random, './artifacts'),
    drawMarketplace(random, place, random.pick(['./market', './market', './inside'])),
  ];
  return {
    attacks: [ownArtifacts(place), configuration('sync.yaml', lines, place)],
    invocation: random.pick([
      cli('sync', '--config'),
      cli('sync', '--config', '.catalog/sync.yaml'),
      cli('sync', '--config', '--dry-run'),
    ]),
  };
}

/** The clone contains forged state that records a user's file as written by catalog. */
function forgedState(random: SeededRandom, place: Place): Scenario {
  const [forge, commands] = random.pick([
    [forgedJournal, ['sync', 'sync', 'update', 'sync --remove']],
    [forgedUndo, ['undo']],
    [forgedLock, ['sync', 'sync --remove']],
  ] as const);
  const lines = [namesRegistry(random, './artifacts')];
  return {
    attacks: [ownArtifacts(place), configuration('sync.yaml', lines, place), forge(random, place)],
    invocation: cli(...random.pick(commands).split(' ')),
  };
}

/** The clone configures another program under the name of catalog's MCP server. */
function serverEntry(random: SeededRandom, place: Place): Scenario {
  const harness = random.pick(['claude-code', 'cursor', 'gemini-cli', 'codex']);
  const lines = [namesRegistry(random, './artifacts')];
  return {
    attacks: [
      ownArtifacts(place),
      configuration('sync.yaml', lines, place),
      mcpEntries(random, place),
    ],
    invocation: cli('mcp', 'doctor', harness),
  };
}

/** The clone configures something that needs trust, and the user runs a sync. */
function needsTrust(random: SeededRandom, place: Place): Scenario {
  const registry = namesRegistry(random, './artifacts');
  const command = JSON.stringify(place.payload('hook'));
  const setting = random.pick([
    `materialize_hooks: [{name: h, run: [sh, -c, ${command}], sandbox: unrestricted}]`,
    'adapters: [./adapter.mjs]',
    `targets: [{id: t, harness: ${random.pick(HARNESSES)}, target: ../elsewhere}]`,
  ]);
  return {
    attacks: [ownArtifacts(place), configuration('sync.yaml', [registry, setting], place)],
    invocation: random.pick([cli('sync'), cli('update')]),
  };
}

function namesRegistry(random: SeededRandom, registry: string): string {
  return `defaults: {registry: ${JSON.stringify(registry)}, harness: ${random.pick(HARNESSES)}}`;
}

function cli(...words: string[]): Invocation {
  return { kind: 'cli', words };
}

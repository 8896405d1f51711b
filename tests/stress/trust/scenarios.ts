import type { SeededRandom } from '../../../tools/seeded-random.ts';
import {
  configuration,
  drawMarketplace,
  drawRendering,
  drawRunByOthers,
  forgedJournal,
  forgedTakenOver,
  forgedLock,
  forgedUndo,
  HARNESSES,
  harnessLinks,
  mcpEntries,
  overlay,
  ownArtifacts,
} from './attacks.ts';
import type { Invocation } from './commands.ts';
import type { Scenario } from './scenario.ts';
import { drawHostileText } from './hostile-text.ts';
import type { Attack, Place } from './place.ts';
import { intoVersionControl } from './version-control.ts';

/** Draws a scenario, because independently drawn parts rarely match. */
export function drawScenario(random: SeededRandom, place: Place, real: string): Scenario {
  return random.pick(SCENARIOS)(random, place, real);
}

const SCENARIOS: readonly ((random: SeededRandom, place: Place, real: string) => Scenario)[] = [
  servedContent,
  signedInToOtherRegistry,
  marketplace,
  forgedState,
  serverEntry,
  needsTrust,
  (random, _, real) => drawHostileText(random, real),
  intoVersionControl,
  partOfUsersTarget,
  renderedForHarness,
  renderedUntrusted,
  runByOthers,
];

function servedContent(random: SeededRandom, place: Place): Scenario {
  const lines = [namesRegistry(random, place.hostile)];
  if (random.next() < 0.3) lines.push('executable_content: [{policy: allow}]');
  const load = { name: 'load_artifact', arguments: { id: random.pick(['x/skill', 'x/hook']) } };
  return {
    attacks: [configuration('sync.yaml', lines, place)],
    trick: 'serve',
    invocation: random.pick([
      cliInvocation('sync'),
      cliInvocation('sync', '--json'),
      cliInvocation('update'),
      { kind: 'mcp', calls: [load] },
    ]),
  };
}

function signedInToOtherRegistry(random: SeededRandom, place: Place): Scenario {
  return {
    attacks: [configuration('sync.yaml', [namesRegistry(random, place.hostile)], place)],
    invocation: random.pick([
      cliInvocation('sync'),
      cliInvocation('outdated'),
      cliInvocation('search', 'release'),
      cliInvocation('whoami'),
      cliInvocation('logout'),
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
      cliInvocation('sync', '--config'),
      cliInvocation('sync', '--config', '.catalog/sync.yaml'),
      cliInvocation('sync', '--config', '--dry-run'),
    ]),
  };
}

/** The clone contains forged state that records a user's file as written by catalog. */
function forgedState(random: SeededRandom, place: Place): Scenario {
  const [forge, commands] = random.pick([
    [forgedJournal, ['sync', 'sync', 'update', 'sync --remove']],
    [forgedUndo, ['undo']],
    [forgedTakenOver, ['sync', 'sync --remove']],
    [forgedLock, ['sync', 'sync --remove']],
  ] as const);
  const lines = [namesRegistry(random, './artifacts')];
  return {
    attacks: [ownArtifacts(place), configuration('sync.yaml', lines, place), forge(random, place)],
    invocation: cliInvocation(...random.pick(commands).split(' ')),
  };
}

function serverEntry(random: SeededRandom, place: Place): Scenario {
  const harness = random.pick(['claude-code', 'cursor', 'gemini-cli', 'codex']);
  const lines = [namesRegistry(random, './artifacts')];
  return {
    attacks: [
      ownArtifacts(place),
      configuration('sync.yaml', lines, place),
      mcpEntries(random, place),
    ],
    invocation: cliInvocation('mcp', 'doctor', harness),
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
    invocation: random.pick([cliInvocation('sync'), cliInvocation('update')]),
  };
}

/** The user's own file and the clone each configure a part of a target outside the workspace. */
function partOfUsersTarget(random: SeededRandom, place: Place): Scenario {
  const harness = `harness: ${random.pick(HARNESSES)}`;
  const registry = `registry: ${JSON.stringify(`${place.home}/own-artifacts`)}`;
  const outside = random.pick(['"~"', JSON.stringify(place.outside)]);
  const [user, lines, more] = random.pick<[string, string[], Attack[]]>([
    [
      `defaults: {${registry}, ${harness}}\ntargets: [{id: mine}]\n`,
      [`defaults: {target: ${outside}}`],
      [],
    ],
    [
      `defaults: {${registry}, ${harness}}\nprofiles: {mine: {target: ${outside}}}\n`,
      ['defaults: {profile: mine}'],
      [],
    ],
    [
      `targets: [{id: mine, ${harness}, target: ${outside}}]\n`,
      ['defaults: {registry: ./artifacts}'],
      [ownArtifacts(place)],
    ],
    [
      `targets: [{id: mine, kind: marketplace, ${harness.replace(/:.*/, ': claude-code')}, target: ${outside}, plugins: [{name: p}]}]\n`,
      ['defaults: {registry: ./artifacts}'],
      [ownArtifacts(place)],
    ],
    [
      `defaults: {${registry}}\ntargets: [{id: mine, harness: claude-code, target: "~"}]\n`,
      [],
      [overlay(random, place)],
    ],
  ]);
  const own = lines.length === 0 ? [] : [configuration('sync.yaml', lines, place)];
  return {
    attacks: [...own, ...more],
    user,
    invocation: random.pick([
      cliInvocation('sync'),
      cliInvocation('sync', '--config'),
      cliInvocation('sync', '--config'),
    ]),
  };
}

function renderedForHarness(random: SeededRandom, place: Place): Scenario {
  const lines = [namesRegistry(random, place.hostile), drawRendering(random)];
  return {
    attacks: [configuration('sync.yaml', lines, place), harnessLinks()],
    trick: 'serve',
    trusted: true,
    invocation: cliInvocation('sync', '--config'),
  };
}

function renderedUntrusted(random: SeededRandom, place: Place): Scenario {
  const lines = [namesRegistry(random, place.hostile), drawRendering(random, './market')];
  return {
    attacks: [configuration('sync.yaml', lines, place)],
    trick: 'serve',
    invocation: cliInvocation('sync', '--config'),
  };
}

function runByOthers(random: SeededRandom, place: Place): Scenario {
  const lines = [namesRegistry(random, './artifacts'), drawRunByOthers(random)];
  return {
    attacks: [ownArtifacts(place), configuration('sync.yaml', lines, place)],
    invocation: cliInvocation('sync', '--config'),
  };
}

function namesRegistry(random: SeededRandom, registry: string): string {
  return `defaults: {registry: ${JSON.stringify(registry)}, harness: ${random.pick(HARNESSES)}}`;
}

function cliInvocation(...words: string[]): Invocation {
  return { kind: 'cli', words };
}

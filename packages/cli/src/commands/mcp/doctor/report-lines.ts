import { shortenPaths, shortPath, type Where } from '../../../output/places.ts';
import { alignColumns, count, styled, type Line } from '../../../output/text.ts';
import type { ProtocolProbe, Examination, ExaminedFile, RegistryState } from './examination.ts';

export function reportLines(examination: Examination, where: Where): Line[] {
  const { harness, eras: probes, problems } = examination;
  return [
    ...alignColumns(factRows(examination, where)),
    ...probes.flatMap((probe) => ['', ...probeLines(probe)]),
    '',
    ...(problems.length === 0 ? [wellDone(harness)] : problemLines(examination, where)),
  ];
}

const STATES: Readonly<Record<ExaminedFile['entry'], string>> = {
  found: 'has the entry',
  missing: 'has no catalog-mcp entry',
  'switched-off': 'has the entry, disabled',
  unreadable: 'cannot be used',
};

const REGISTRY: Readonly<Record<RegistryState, string>> = {
  answers: ': reachable',
  unreachable: ': unreachable',
  refuses: ': returns errors',
  'not-asked': ', not checked',
};

function factRows(
  { file, program, settings, registry_state }: Examination,
  where: Where,
): string[][] {
  const version = program.version === undefined ? '' : `, version ${program.version}`;
  const facts: string[][] = [
    ...(file === undefined
      ? []
      : [['file', `${shortPath(file.path, where)}: ${STATES[file.entry]}`]]),
    [
      'program',
      program.path === undefined
        ? `${program.command}: not found`
        : `${shortPath(program.path, where)}${version}`,
    ],
  ];
  if (settings === undefined) return facts;
  const { registry, identity, harness, cache_mode, cache, overlay, writes_to } = settings;
  return [
    ...facts,
    ['registry', registry === undefined ? 'none' : `${registry}${REGISTRY[registry_state]}`],
    ['as', identity],
    ['harness', harness],
    ['cache', `${cache_mode}, in ${shortPath(cache, where)}`],
    ['overlay', overlay === undefined ? 'none' : shortPath(overlay, where)],
    [
      'writes to',
      `the folder the harness provides, else ${writes_to === undefined ? 'nothing' : shortPath(writes_to, where)}`,
    ],
  ];
}

function probeLines({ revision, start_ms, tools }: ProtocolProbe): Line[] {
  const title = `MCP ${revision}`;
  if (start_ms === undefined) return [[styled('bold', title), '  does not start']];
  return [
    [styled('bold', title), `  first response ${formatElapsed(start_ms)}`],
    ...alignColumns(
      tools.map(({ tool, answer, ms, problem }) => [
        tool,
        [
          problem === undefined ? answer : styled('red', answer),
          ms === undefined ? '' : ` ${formatElapsed(ms)}`,
        ],
      ]),
      '  ',
    ),
  ];
}

function formatElapsed(ms: number): string {
  return `(${Math.round(ms)} ms)`;
}

function wellDone(harness: string | undefined): string {
  const who = harness ?? 'a harness';
  return `No problems found. If ${who} still shows no tools, restart it: harnesses read their MCP servers at startup.`;
}

function problemLines({ problems, harness }: Examination, where: Where): Line[] {
  const hint =
    harness === undefined
      ? ['To check the configuration of a harness too, run `catalog mcp doctor claude-code`.']
      : [];
  return [
    `${count(problems.length, 'problem')}:`,
    ...problems.flatMap(({ what, next }): Line[] => [
      [styled('red', '  -'), ` ${shortenPaths(what, where)}`],
      `    next: ${shortenPaths(next, where)}`,
    ]),
    ...hint,
  ];
}

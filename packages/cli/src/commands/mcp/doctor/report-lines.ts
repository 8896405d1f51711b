import { shortenPaths, shortPath, type Where } from '../../../output/places.ts';
import { alignColumns, count, styled, type Line } from '../../../output/text.ts';
import type { EraWalk, Examination, ExaminedFile, RegistryState } from './examination.ts';

/** The examination for a person: what was looked at, what each tool answered, what is wrong. */
export function reportLines(examination: Examination, where: Where): Line[] {
  const { harness, eras, problems } = examination;
  return [
    ...alignColumns(factRows(examination, where)),
    ...eras.flatMap((era) => ['', ...eraLines(era)]),
    '',
    ...(problems.length === 0 ? [wellDone(harness)] : problemLines(examination, where)),
  ];
}

const STATES: Readonly<Record<ExaminedFile['entry'], string>> = {
  found: 'has the entry',
  missing: 'has no entry for catalog-mcp',
  'switched-off': 'has the entry, switched off',
  unreadable: 'cannot be used',
};

const REGISTRY: Readonly<Record<RegistryState, string>> = {
  answers: ': answers',
  unreachable: ': cannot be reached',
  refuses: ': answers with errors',
  'not-asked': ', not asked',
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
      `the folder the harness names, else ${writes_to === undefined ? 'nothing is written' : shortPath(writes_to, where)}`,
    ],
  ];
}

function eraLines({ revision, start_ms, tools }: EraWalk): Line[] {
  const title = `MCP ${revision}`;
  if (start_ms === undefined) return [[styled('bold', title), '  does not start']];
  return [
    [styled('bold', title), `  first answer ${took(start_ms)}`],
    ...alignColumns(
      tools.map(({ tool, answer, ms, problem }) => [
        tool,
        [
          problem === undefined ? answer : styled('red', answer),
          ms === undefined ? '' : ` ${took(ms)}`,
        ],
      ]),
      '  ',
    ),
  ];
}

function took(ms: number): string {
  return `(${Math.round(ms)} ms)`;
}

function wellDone(harness: string | undefined): string {
  const who = harness ?? 'a harness';
  return `Everything answers. Where ${who} still shows no tools, start it again: it reads its MCP servers when it starts.`;
}

function problemLines({ problems, harness }: Examination, where: Where): Line[] {
  const hint =
    harness === undefined
      ? ['Name a harness to look at its configuration too: `catalog mcp doctor harness-a`.']
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

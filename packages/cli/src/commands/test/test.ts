import { resolve } from 'node:path';
import { refuseDirectory } from '@catalog/consumer/paths/refuse-directory';
import { TOP_K_MAX } from '@catalog/contract/limits';
import { TRIGGER_DEPTH } from '@catalog/core/triggers/judge-trigger';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';
import { pathInside, shortPath } from '../../output/places.ts';
import { count, type Line, styled } from '../../output/text.ts';
import { chooseScope, type LintScope } from '../lint/choose-scope.ts';
import { readNumber } from '../read-number.ts';
import { writeNewFile } from '../write-new-file.ts';
import type { testDefinition } from './definition.ts';
import { renderMatrix } from './render-matrix.ts';
import { runTests, type TestReport } from './run-tests.ts';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import { escapeXml } from '@catalog/core/text/escape-xml';

type Input = CommandInput<typeof testDefinition>;

export async function run(input: Input, session: Session): Promise<CommandResult> {
  const top_k = readDepth(input.flags['top-k']);
  const scope = chooseScope('test', input, session);
  const report = await runTests(scope, top_k);
  const { junit } = input.flags;
  if (junit !== undefined) writeReport(resolve(session.cwd, junit), renderJunit(report), session);
  return {
    lines: toLines(report, scope, session),
    json: report,
    exit: report.failed + report.rejected.length > 0 ? 1 : 0,
  };
}

/** Writes a report without following links of the working folder, which may come from a clone. */
function writeReport(path: string, text: string, { cwd }: Session): void {
  refuseDirectory(path, cwd, 'target');
  const isBelow = pathInside(cwd, path) !== undefined;
  writeNewFile({ path, text }, isBelow ? { root: cwd, purpose: 'target' } : undefined, true);
}

function readDepth(given: string | undefined): number {
  const depth = readNumber('--top-k', given) ?? TRIGGER_DEPTH;
  if (depth >= 1 && depth <= TOP_K_MAX) return depth;
  throw usageError(`--top-k must be an integer from 1 to ${TOP_K_MAX}.`, 'Use `--top-k 3`.', {
    command: 'test',
    argument: '--top-k',
  });
}

function toLines(report: TestReport, scope: LintScope, session: Session): Line[] {
  const { tested, rejected, passed, failed, top_k, artifacts, matrix } = report;
  if (tested.length + rejected.length === 0) return emptyLines(scope, session);
  const isGood = failed + rejected.length === 0;
  return [
    [
      isGood ? styled('green', 'passed') : styled('red', 'failed'),
      `: ${passed} of ${count(passed + failed, 'question')} to ${count(tested.length, 'artifact')}, searched among ${artifacts}; an artifact is found if it is in the first ${top_k}`,
    ],
    ...tested.flatMap(failureLines),
    ...rejected.flatMap(rejectedLines),
    ...(tested.length === 0 ? [] : ['', ...renderMatrix(matrix)]),
    ...(failed === 0
      ? []
      : [
          '',
          'Next: say in the description, or in `when_to_use`, what people ask for; `catalog why search <id> "<query>"` compares two of them.',
        ]),
  ];
}

const MAX_HIGHER_RANKED = 5;

function failureLines({ id, triggers }: TestReport['tested'][number]): Line[] {
  return triggers
    .filter(({ passed }) => !passed)
    .flatMap(({ query, reason = '', above }): Line[] => [
      '',
      [styled('bold', id), `: "${query}"`],
      `  ${reason}`,
      ...(above.length === 0 ? [] : [`  above: ${above.slice(0, MAX_HIGHER_RANKED).join(', ')}`]),
    ]);
}

function rejectedLines({ id, reason }: TestReport['rejected'][number]): Line[] {
  return [
    '',
    [styled('bold', id), ': not tested, because it is not delivered'],
    `  ${reason}`,
    '  `catalog lint` shows where.',
  ];
}

function emptyLines({ folder, within }: LintScope, session: Session): Line[] {
  const place = shortPath(within ?? folder.path, session);
  return [
    `No artifact in ${place} has trigger tests yet.`,
    'To add one, create evals/triggers.yaml in the folder of an artifact, such as `- query: how do I undo a release`.',
  ];
}

function renderJunit({ tested, rejected, passed, failed }: TestReport): string {
  const suites = tested.map(({ id, triggers }) => {
    const failures = triggers.filter((trigger) => !trigger.passed).length;
    const cases = triggers.map(({ query, reason, above }) => {
      const head = `    <testcase classname="${quote(id)}" name="${quote(query)}"`;
      if (reason === undefined) return `${head}/>`;
      const detail = above.length === 0 ? '' : quote(`above: ${above.join(', ')}`);
      return `${head}>\n      <failure message="${quote(reason)}">${detail}</failure>\n    </testcase>`;
    });
    return [
      `  <testsuite name="${quote(id)}" tests="${triggers.length}" failures="${failures}" errors="0">`,
      ...cases,
      '  </testsuite>',
    ].join('\n');
  });
  const errors = rejected.map(({ id, reason }) =>
    [
      `  <testsuite name="${quote(id)}" tests="1" failures="0" errors="1">`,
      `    <testcase classname="${quote(id)}" name="evals/triggers.yaml">`,
      `      <error message="${quote(reason)}"/>`,
      '    </testcase>',
      '  </testsuite>',
    ].join('\n'),
  );
  const tests = passed + failed + rejected.length;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="${tests}" failures="${failed}" errors="${rejected.length}">
${[...suites, ...errors].join('\n')}
</testsuites>
`;
}

function quote(text: string): string {
  return escapeXml(escapeControls(text));
}

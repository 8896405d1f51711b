import { resolve } from 'node:path';
import { TOP_K_MAX } from '@catalog/contract/limits';
import { TRIGGER_DEPTH } from '@catalog/core/triggers/judge-trigger';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';
import { shortPath } from '../../output/places.ts';
import { count, styled, type Line } from '../../output/text.ts';
import { chooseScope, type LintScope } from '../lint/choose-scope.ts';
import { readNumber } from '../read-number.ts';
import { writeNewFile } from '../write-new-file.ts';
import type { testDefinition } from './definition.ts';
import { renderJunit } from './render-junit.ts';
import { renderMatrix } from './render-matrix.ts';
import { runTests, type TestReport } from './run-tests.ts';

type Input = CommandInput<typeof testDefinition>;

export async function run(input: Input, session: Session): Promise<CommandResult> {
  const top_k = readDepth(input.flags['top-k']);
  const scope = chooseScope('test', input, session);
  const report = await runTests(scope, top_k);
  const { junit } = input.flags;
  if (junit !== undefined) {
    writeNewFile({ path: resolve(session.cwd, junit), text: renderJunit(report) }, true);
  }
  return {
    lines: toLines(report, scope, session),
    json: report,
    exit: report.failed + report.rejected.length > 0 ? 1 : 0,
  };
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
      `: ${passed} of ${count(passed + failed, 'question')} to ${count(tested.length, 'artifact')}, asked among ${artifacts}; found means among the first ${top_k}`,
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

/** Artifacts above one that failed that are shown. */
const MOST_ABOVE = 5;

function failureLines({ id, triggers }: TestReport['tested'][number]): Line[] {
  return triggers
    .filter(({ passed }) => !passed)
    .flatMap(({ query, reason = '', above }): Line[] => [
      '',
      [styled('bold', id), `: "${query}"`],
      `  ${reason}`,
      ...(above.length === 0 ? [] : [`  above: ${above.slice(0, MOST_ABOVE).join(', ')}`]),
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

import type { Artifact } from '../../artifact/types.ts';
import { readTriggers, TRIGGERS_FILE } from '../../triggers/read-triggers.ts';
import type { TriggerOutcome } from '../../triggers/judge-trigger.ts';
import type { LintContext } from '../context.ts';
import { NOTHING, type Finding } from '../finding.ts';

export function triggersFile(artifact: Artifact, context: LintContext): readonly Finding[] {
  const file = artifact.resources.find(({ path }) => path === TRIGGERS_FILE);
  if (file === undefined) return NOTHING;
  const reading = readTriggers(file.bytes);
  const { text } = reading;
  const place = (offset: number) =>
    ({ kind: 'text', file: `${artifact.id}/${TRIGGERS_FILE}`, text, offset }) as const;
  if (reading.kind === 'refused') {
    return reading.problems.map(({ message, fix, offset }) => ({
      code: 'lint.invalid_triggers',
      message,
      fix,
      place: place(offset),
    }));
  }
  return reading.triggers.flatMap(({ instead, offset }): Finding[] => {
    if (instead === undefined || context.known_ids.has(instead)) return [];
    return [
      {
        code: 'lint.invalid_triggers',
        severity: 'warning',
        message: `\`instead\` names ${instead}, which does not exist.`,
        fix: 'Fix the id.',
        place: place(offset),
      },
    ];
  });
}

export interface TriedTrigger {
  outcome: TriggerOutcome;
  offset: number;
}

export function missedTriggers(
  { id }: Artifact,
  text: string,
  tried: readonly TriedTrigger[],
): Finding[] {
  return tried
    .filter(({ outcome }) => outcome.should_trigger && !outcome.passed)
    .map(({ outcome: { query, reason = '', above }, offset }) => ({
      code: 'lint.missed_trigger',
      message: `The query "${query}" should find this artifact, but ${reason}${above[0] === undefined ? '' : `; ${above[0]} ranks first`}.`,
      place: { kind: 'text', file: `${id}/${TRIGGERS_FILE}`, text, offset },
    }));
}

import { flag, member, text, type RecordShape } from '../manifest/field-checks.ts';
import { findHiddenCharacter } from '../manifest/hidden-characters.ts';
import { offsetOf } from '../manifest/locate.ts';
import { readRecordList, type ListProblem } from '../manifest/read-record-list.ts';

/** Path relative to the folder of the artifact. */
export const TRIGGERS_FILE = 'evals/triggers.yaml';

export interface Trigger {
  query: string;
  should_trigger: boolean;
  instead?: string;
}

export interface PlacedTrigger extends Trigger {
  offset: number;
}

export type TriggersReading =
  | { kind: 'ok'; text: string; triggers: PlacedTrigger[] }
  | { kind: 'refused'; text: string; problems: ListProblem[] };

const SHAPE: RecordShape<Trigger> = {
  create: () => ({ query: '', should_trigger: true }),
  members: [member('query', text()), member('should_trigger', flag()), member('instead', text())],
  required: ['query'],
  strict: true,
};

const decoder = new TextDecoder('utf-8', { fatal: true });

export function readTriggers(bytes: Uint8Array): TriggersReading {
  const source = decode(bytes);
  if (source === undefined) {
    const fix = 'Save the file as UTF-8.';
    return refused('', [{ message: 'The file is not UTF-8.', fix, offset: 0 }]);
  }
  const hidden = findHiddenCharacter(source);
  if (hidden !== undefined) {
    const message = `The file contains ${hidden.description}.`;
    return refused(source, [{ message, fix: 'Remove the character.', offset: hidden.offset }]);
  }
  const reading = readRecordList(source, SHAPE);
  if (reading.kind === 'refused') return refused(source, reading.problems);
  const triggers = reading.records.map((trigger, index) => ({
    ...trigger,
    offset: offsetOf(source, [index]) ?? 0,
  }));
  const problems = triggers.flatMap(contradictions);
  return problems.length === 0 ? { kind: 'ok', text: source, triggers } : refused(source, problems);
}

function refused(source: string, problems: ListProblem[]): TriggersReading {
  return { kind: 'refused', text: source, problems };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Reports `instead` together with `should_trigger: true`, which contradict each other. */
function contradictions({ should_trigger, instead, offset }: PlacedTrigger): ListProblem[] {
  if (!should_trigger || instead === undefined) return [];
  const message = `\`instead: ${instead}\` requires \`should_trigger: false\`.`;
  return [{ message, fix: 'Add `should_trigger: false`, or remove `instead`.', offset }];
}

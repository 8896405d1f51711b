import { canBeImperative } from '../prose/imperative.ts';
import { americanSpelling } from '../prose/rules/american-spelling.ts';
import { vocabulary } from '../prose/rules/vocabulary.ts';

interface Commit {
  header?: string | null;
  body?: string | null;
}

type Verdict = [follows: boolean, advice: string];

/** An area is a command, a package or a part of one. */
const HEADER = /^(?<area>[a-z][a-z0-9 ./_-]*): (?<subject>\S.*)$/;

export function areaPrefix({ header }: Commit): Verdict {
  return [
    HEADER.test(header ?? ''),
    'start with an area in lowercase, a colon and a space: "sync: keep edited files"',
  ];
}

/** `areaPrefix` reports a missing area. */
export function imperativeSubject({ header }: Commit): Verdict {
  const subject = HEADER.exec(header ?? '')?.groups?.['subject'] ?? '';
  const [verb = ''] = subject.split(' ');
  return [
    subject === '' || canBeImperative(verb),
    `write the subject in the imperative, such as "add" or "fix", not "${verb}"`,
  ];
}

/** Requires a body, except for regenerated files. */
export function reasonInBody({ header, body }: Commit): Verdict {
  const regenerates = /: regenerate /.test(header ?? '');
  return [
    regenerates || (body ?? '').trim() !== '',
    'give the reason in the body, after an empty line',
  ];
}

const QUOTED = /`[^`]*`|'[^'\n]*'|"[^"\n]*"/g;

export function listWordProblems(message: string): string[] {
  const text = message.replaceAll(QUOTED, 'CODE').replaceAll(/\s+/g, ' ');
  const block = { kind: 'paragraph', path: '', text, offsets: [], linked: [] } as const;
  return [vocabulary, americanSpelling].flatMap(({ check }) =>
    check(block).map((problem) => problem.message),
  );
}

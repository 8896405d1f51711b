import { canBeImperative } from '../prose/imperative.ts';
import { americanSpelling } from '../prose/rules/american-spelling.ts';
import { vocabulary } from '../prose/rules/vocabulary.ts';

/** What commitlint passes to a rule: the parsed commit message. */
interface Commit {
  header?: string | null;
  body?: string | null;
}

/** Whether a commit follows a rule, and what to change if it does not. */
type Verdict = [follows: boolean, advice: string];

/** `area: subject`; an area is a command, a package or a part of one. */
const HEADER = /^(?<area>[a-z][a-z0-9 ./_-]*): (?<subject>\S.*)$/;

/** Requires an area in front of the subject. */
export function areaPrefix({ header }: Commit): Verdict {
  return [
    HEADER.test(header ?? ''),
    'start with an area in lowercase, a colon and a space: "sync: keep edited files"',
  ];
}

/** Requires a subject in the imperative. A missing area is the other rule's. */
export function imperativeSubject({ header }: Commit): Verdict {
  const subject = HEADER.exec(header ?? '')?.groups?.['subject'] ?? '';
  const [verb = ''] = subject.split(' ');
  return [
    subject === '' || canBeImperative(verb),
    `write the subject in the imperative, such as "add" or "fix", not "${verb}"`,
  ];
}

/** Requires a body with the reason. Regenerated files have an obvious one. */
export function reasonInBody({ header, body }: Commit): Verdict {
  const regenerates = /: regenerate /.test(header ?? '');
  return [
    regenerates || (body ?? '').trim() !== '',
    'give the reason in the body, after an empty line',
  ];
}

/** Code, and words in quotation marks. */
const QUOTED = /`[^`]*`|'[^'\n]*'|"[^"\n]*"/g;

/** Lists the words of a message that STYLE.md replaces. */
export function listWordProblems(message: string): string[] {
  const text = message.replaceAll(QUOTED, 'CODE').replaceAll(/\s+/g, ' ');
  const block = { kind: 'paragraph', path: '', text, offsets: [], linked: [] } as const;
  return [vocabulary, americanSpelling].flatMap(({ check }) =>
    check(block).map((problem) => problem.message),
  );
}

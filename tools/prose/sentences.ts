export interface Sentence {
  text: string;
  start: number;
}

/** End of a sentence, or the blank line between two paragraphs of a message. */
const BOUNDARY = /[.!?]["')\]]*(?=\s+["'(]*(?:[A-Z0-9]|catalog\b))|\n\s*\n/g;
const ABBREVIATION = /\b(?:e\.g|i\.e|etc|vs|cf|St|Dr|No)\.$/;

export function splitSentences(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  const push = (end: number): void => {
    const raw = text.slice(start, end);
    const trimmed = raw.trim();
    if (trimmed !== '') {
      sentences.push({ text: trimmed, start: start + raw.length - raw.trimStart().length });
    }
    start = end;
  };
  for (const match of text.matchAll(BOUNDARY)) {
    const end = match.index + match[0].length;
    if (!ABBREVIATION.test(text.slice(start, end))) push(end);
  }
  push(text.length);
  return sentences;
}

const MAX_EXCERPT = 60;

export function excerpt(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= MAX_EXCERPT ? `"${line}"` : `"${line.slice(0, MAX_EXCERPT).trimEnd()} …"`;
}

export function wordsOf(sentence: string): string[] {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
}

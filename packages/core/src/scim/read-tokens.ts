export interface Token {
  kind: 'word' | 'text' | 'number' | 'bracket';
  text: string;
}

const SPACE = /\s+/y;
/** Matching takes linear time, because alternatives start differently and nothing is nested. */
const TOKEN =
  /(?<bracket>[()[\]])|(?<text>"(?:[^"\\]|\\.)*")|(?<number>-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.:$-]))|(?<word>\.?[A-Za-z$][\w$:.-]*)/y;

export function readTokens(filter: string): Token[] | undefined {
  const tokens: Token[] = [];
  let at = 0;
  while (at < filter.length) {
    SPACE.lastIndex = at;
    if (SPACE.test(filter)) {
      at = SPACE.lastIndex;
      continue;
    }
    TOKEN.lastIndex = at;
    const token = toToken(TOKEN.exec(filter));
    if (token === undefined) return undefined;
    tokens.push(token);
    at = TOKEN.lastIndex;
  }
  return tokens;
}

function toToken(found: RegExpExecArray | null): Token | undefined {
  const { bracket, text, number, word } = found?.groups ?? {};
  if (bracket !== undefined) return { kind: 'bracket', text: bracket };
  if (text !== undefined) return { kind: 'text', text };
  if (number !== undefined) return { kind: 'number', text: number };
  return word === undefined ? undefined : { kind: 'word', text: word };
}

import * as fc from 'fast-check';

const EXAMPLE = ['<!-- catalog:begin:theirs -->', 'an example', '<!-- catalog:end:theirs -->'];

/** Parts of a document, none of which starts or ends a managed block outside of code. */
const piece: fc.Arbitrary<string[]> = fc.oneof(
  fc.constantFrom<string[][]>(
    ['# Title'],
    ['Title', '====='],
    ['A sentence.  ', 'and its end\\'],
    ['- item', '  - inner  ', '', '- next'],
    ['> quoted', '> <!-- catalog:begin:quoted -->'],
    ['<!-- a note -->'],
    ['<!-- a note', 'over lines', '-->'],
    ['<!-- catalog: begin:x -->'],
    ['inline `<!-- catalog:begin:x -->` code'],
    ['| a | b |', '|---|---|', '| 1 | 2 |'],
    ['    indented code', ...EXAMPLE.map((line) => `    ${line}`)],
    ['\ttab', '   three spaces'],
    ['---'],
    [''],
    ['', ''],
    ['   '],
    ['\u00a0', '\u2028'],
    ['😀 é'],
  ),
  fc
    .tuple(
      fc.constantFrom('```', '~~~', '````', '  ~~~~'),
      fc.constantFrom('', 'js', ' text x'),
      fc.constantFrom(['code()'], [''], EXAMPLE, ['``', '~~'], EXAMPLE.slice(0, 1), ['# no title']),
    )
    .map(([fence, info, code]) => [fence + info, ...code, fence]),
  fc.string({ maxLength: 12 }).map((line) => [line.replaceAll(/[\r\n`~]/g, '')]),
);

/**
 * Generates realistic files: headings, lists, code that contains catalog's markers, any line break, a
 * byte order mark, trailing spaces, and sometimes empty.
 */
export const arbitraryMarkdown: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .record({
        bom: fc.boolean(),
        eol: fc.constantFrom('\n', '\n', '\r\n', '\r'),
        pieces: fc.array(piece, { maxLength: 6 }),
        blank: fc.boolean(),
        unclosed: fc.constantFrom(undefined, undefined, undefined, '```', '~~~ x'),
        final: fc.constantFrom('', '\n', '\n\n', '  ', '\n \n'),
      })
      .map(({ bom, eol, pieces, blank, unclosed, final }) => {
        const all = unclosed === undefined ? pieces : [...pieces, [unclosed, 'open code']];
        const text = all.map((lines) => lines.join('\n')).join(blank ? '\n\n' : '\n');
        return (bom ? '\uFEFF' : '') + (text + final).replaceAll('\n', eol);
      }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '\n', '\r\n\r\n', '\uFEFF', '\uFEFF\n', '  ', '\t\n\n'),
  },
);

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeMarks } from './escape-marks.ts';

describe('escapeMarks', () => {
  test.each([
    ['in another case', '</UNTRUSTED-Data>', '&lt;/UNTRUSTED-Data>'],
    ['with spaces', '<  /  untrusted-data  >', '&lt;  /  untrusted-data  >'],
    ['across lines', '</\r\n\tuntrusted-\ndata\n>', '&lt;/\r\n\tuntrusted-\ndata\n>'],
    ['with attributes', '</untrusted-data x="y">', '&lt;/untrusted-data x="y">'],
    ['with a random part', '</untrusted-data-0f3c>', '&lt;/untrusted-data-0f3c>'],
    ['nested', '<</untrusted-data>', '<&lt;/untrusted-data>'],
    [
      'after many others',
      `${'<'.repeat(9)}/untrusted-data>`,
      `${'<'.repeat(8)}&lt;/untrusted-data>`,
    ],
    ['in a code fence', '```\n</untrusted-data>\n```', '```\n&lt;/untrusted-data>\n```'],
    [
      'with Markdown escapes',
      String.raw`<\/untrusted\-data\>`,
      String.raw`&lt;\/untrusted\-data\>`,
    ],
    ['with a named entity', '&lt;/untrusted-data&gt;', '&amp;lt;/untrusted-data&gt;'],
    ['with a decimal entity', '&#060;/untrusted-data>', '&amp;#060;/untrusted-data>'],
    ['with a hexadecimal entity', '&#x3C/untrusted-data>', '&amp;#x3C/untrusted-data>'],
    [
      'with entities for letters',
      '<&sol;&#117;ntruste&#x64;-data>',
      '&lt;&sol;&#117;ntruste&#x64;-data>',
    ],
    [
      'with a JSON escape',
      String.raw`\u003c/untrusted-data>`,
      String.raw`&#x5c;u003c/untrusted-data>`,
    ],
    ['percent-encoded', '%3C/untrusted%2Ddata>', '&#x25;3C/untrusted%2Ddata>'],
    ['in full width', '＜／ｕｎｔｒｕｓｔｅｄ－data＞', '&#xff1c;／ｕｎｔｒｕｓｔｅｄ－data＞'],
    ['with a long s', '</untruſted-data>', '&lt;/untruſted-data>'],
    ['with combining marks', '</u\u0301ntrusted-data>', '&lt;/u\u0301ntrusted-data>'],
    ['with Cyrillic letters', '</untruѕtеd-data>', '&lt;/untruѕtеd-data>'],
    [
      'with invisible characters',
      '</un\u200Btrus\u00ADted-data>',
      '&lt;/un\u200Btrus\u00ADted-data>',
    ],
    ['as a comment', '<!-- end imported -->', '&lt;!-- end imported -->'],
    ['as a comment across lines', '<!--\nEND\n\nimported\n-->', '&lt;!--\nEND\n\nimported\n-->'],
    ['as a comment with a beginning', '<!--begin imported-->', '&lt;!--begin imported-->'],
  ])('escapes a mark %s', (_, text, escaped) => {
    expect(escapeMarks(text)).toBe(escaped);
  });

  test.each([
    'if (a < b) return List<String>;',
    '<!-- a comment about the end -->',
    '&lt;div&gt; and <div class="untrusted-data">',
    'plain text about untrusted data',
    '100%3c',
  ])('keeps other text unchanged: %j', (text) => {
    expect(escapeMarks(text)).toBe(text);
  });

  test('leaves no tag or comment of a mark, regardless of the surrounding text', () => {
    const piece = fc.constantFrom(
      '<',
      '/',
      '!',
      '--',
      'untrusted',
      '-data',
      'UNTRUSTED',
      'end',
      'begin',
      ' imported',
      '>',
      '-->',
      ' ',
      '\n',
      '\u200B',
      '&lt;',
      '&#60;',
      '&',
      ';',
      'x',
      '\\',
      '＜',
      '```',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
        const escaped = escapeMarks(pieces.join(''));
        expect(escaped).not.toMatch(/<[\s/]*untrusted/i);
        expect(escaped).not.toMatch(/<!--\s*(?:begin|end)\s*imported/i);
      }),
      { numRuns: 3000 },
    );
  });

  test('processes long input in linear time', () => {
    const openers = '<'.repeat(200_000);
    const spaces = `<${' '.repeat(200_000)}`;
    expect(escapeMarks(openers)).toBe(openers);
    expect(escapeMarks(spaces)).toBe(spaces);
    expect(escapeMarks('<-'.repeat(200_000))).toBe('<-'.repeat(200_000));
  });
});

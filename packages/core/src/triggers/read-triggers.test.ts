import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTriggers } from './read-triggers.ts';

function read(text: string): ReturnType<typeof readTriggers> {
  return readTriggers(new TextEncoder().encode(text));
}

test('readTriggers reads triggers with their positions', () => {
  const text = `# What people ask.
- query: undo a release
- query: "ship: now"
  should_trigger: false
  instead: ops/ship
`;
  expect(read(text)).toEqual({
    kind: 'ok',
    text,
    triggers: [
      { query: 'undo a release', should_trigger: true, offset: text.indexOf('query: undo') },
      {
        query: 'ship: now',
        should_trigger: false,
        instead: 'ops/ship',
        offset: text.indexOf('query: "ship'),
      },
    ],
  });
  expect(read('[{"query": "undo it"}]')).toMatchObject({
    kind: 'ok',
    triggers: [{ query: 'undo it', should_trigger: true }],
  });
});

test('readTriggers reports all problems with their positions', () => {
  const reading = read('- query: [a]\n- qery: b\n- query: c\n  should_trigger: "yes"\n');
  expect(reading).toMatchObject({
    kind: 'refused',
    problems: [
      { message: expect.stringContaining('`[0].query` must be a string'), offset: 2 },
      { message: expect.stringContaining('`[1]` has no `query`') },
      { fix: 'Did you mean `query`?' },
      { message: expect.stringContaining('`[2].should_trigger` must be true or false') },
    ],
  });
});

test('readTriggers rejects bytes that are not UTF-8 and never throws', () => {
  expect(readTriggers(new Uint8Array([0x2d, 0x20, 0xff]))).toMatchObject({
    kind: 'refused',
    problems: [{ message: 'The file is not UTF-8.' }],
  });
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      expect(['ok', 'refused']).toContain(readTriggers(bytes).kind);
    }),
  );
  fc.assert(
    fc.property(fc.json({ maxDepth: 3 }), (text) => {
      expect(['ok', 'refused']).toContain(read(text).kind);
    }),
  );
});

import { expect, test } from 'vitest';
import { MAX_FRAME_BYTES, openFrames } from './frames.ts';
import { findRequestId, readMessages } from './read-messages.ts';

function cut(chunks: readonly (string | Buffer)[]) {
  const frames: string[] = [];
  const overlong: (string | number | undefined)[] = [];
  const read = openFrames({
    onFrame: (frame) => frames.push(frame.toString()),
    onOverlong: (start, end) => overlong.push(findRequestId(start, end)),
  });
  for (const chunk of chunks) read(Buffer.from(chunk));
  return { frames, overlong };
}

test('lines are complete for any chunk size', () => {
  const text = 'one\ntwo\r\n\nthree\nfour';
  for (let size = 1; size <= text.length; size += 1) {
    const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    expect(cut(chunks).frames).toEqual(['one', 'two\r', 'three']);
  }
});

test.each([
  ['{"jsonrpc":"2.0","id":7,"method":"x","params":{"y":"', '"}}', 7],
  ['{"method":"x","params":{"y":"', '"},"jsonrpc":"2.0","id":"a-1"}', 'a-1'],
  ['{"method":"x","params":{"y":"', '","id":7}}', undefined],
  ['["', '"]', undefined],
])('the id of an overlong line is found: %s ... %s', (start, end, id) => {
  const middle = Buffer.alloc(MAX_FRAME_BYTES / 4, 'y');
  const read = cut([start, middle, middle, middle, middle, `${end}\nnext\n`]);
  expect(read).toEqual({ frames: ['next'], overlong: [id] });
});

test.each<[string | Buffer, unknown[]]>([
  ['', []],
  [' \r', []],
  ['no', [{ kind: 'garbage', problem: 'not JSON' }]],
  [Buffer.from([0x22, 0xc3, 0x28, 0x22]), [{ kind: 'garbage', problem: 'not UTF-8' }]],
  ['null', [{ kind: 'garbage', problem: 'not a JSON-RPC message' }]],
  ['{"jsonrpc":"2.0","id":1,"method":2}', [{ kind: 'invalid', id: 1 }]],
  ['{"jsonrpc":"2.0","id":1,"result":2}', [{ kind: 'garbage', problem: 'not a JSON-RPC message' }]],
  [
    '{"jsonrpc":"2.0","id":null,"method":"x"}',
    [{ kind: 'garbage', problem: 'not a JSON-RPC message' }],
  ],
])('readMessages reads %s', (line, read) => {
  expect(readMessages(Buffer.from(line))).toEqual(read);
});

test('a batch contains several messages', () => {
  const one = { jsonrpc: '2.0', id: 1, method: 'ping' };
  expect(readMessages(Buffer.from(JSON.stringify([one, { id: 2 }])))).toEqual([
    { kind: 'message', message: one },
    { kind: 'invalid', id: 2 },
  ]);
});

test('an oversized batch is rejected, and its requests get errors', () => {
  const batch = [...Array.from({ length: 1_000 }, () => 1), { id: 7, method: 'ping' }];
  expect(readMessages(Buffer.from(JSON.stringify(batch)))).toEqual([
    { kind: 'garbage', problem: 'a batch of 1001 messages' },
    { kind: 'invalid', id: 7 },
  ]);
});

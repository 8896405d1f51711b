import { expect, test } from 'vitest';
import { openLog, type Log, type LogOptions } from './log.ts';

function write(
  options: Omit<LogOptions, 'output'>,
  act: (log: ReturnType<typeof openLog>['log']) => void,
): string {
  let written = '';
  const output = {
    write: (text: string) => {
      written += text;
    },
  };
  act(openLog({ ...options, output }).log);
  return written;
}

test('a JSON line has a time, a level and its fields', () => {
  const line = write({ level: 'info', format: 'json' }, (log) => {
    log.info({ layer: 'team', accepted: 3 }, 'ingest done');
    log.debug('not asked for');
  });
  expect(JSON.parse(line)).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    layer: 'team',
    accepted: 3,
    msg: 'ingest done',
  });
});

test('request lines have the same format as all others', () => {
  const entry = { endpoint: 'load_artifact', status: 200, duration_ms: 0.5, path: 'a "b"\n' };
  for (const format of ['json', 'text'] as const) {
    const [line, info] = write({ level: 'info', format }, (log) => {
      log.line(entry, 'request');
      log.info(entry, 'request');
    }).split('\n');
    const untimed = (text = ''): string => text.replaceAll(/[\d:T-]{8,}\S*/g, '');
    expect(untimed(line)).toBe(untimed(info));
    expect(line).toContain('load_artifact');
  }
  expect(write({ level: 'warn', format: 'json' }, (log) => log.line(entry, 'request'))).toBe('');
});

test('a line in text format contains the same information', () => {
  const line = write({ level: 'info', format: 'text' }, (log) => {
    log.warn({ layer: 'my team', ms: 1.234 }, 'ingest slow');
  });
  expect(line).toMatch(/^\d\d:\d\d:\d\d warn: ingest slow layer="my team" ms=1\.2\n$/);
});

test('an error line has the stack, with control characters escaped', () => {
  const act = (log: ReturnType<typeof openLog>['log']): void =>
    log.error({ error: new Error('bad \u001B[2J thing') }, 'failed');
  const [first, second, ...stack] = write({ level: 'info', format: 'text' }, act).split('\n');
  expect(first).toMatch(/error: failed$/);
  expect(second).toContain('Error: bad ');
  expect(second).not.toContain('\u001B');
  expect(stack.join('\n')).toContain('log.test.ts');
  const parsed = JSON.parse(write({ level: 'info', format: 'json' }, act));
  expect(parsed.error).toMatchObject({ type: 'Error', stack: expect.stringContaining('log.test') });
});

test('a silent log writes nothing', () => {
  expect(write({ level: 'silent', format: 'json' }, (log) => log.error('x'))).toBe('');
});

test('the compiler rejects fields that are part of every line', () => {
  const attempt = (log: Log): void => {
    // @ts-expect-error Every line has a level.
    log.info({ level: 'debug' }, 'reloaded');
    // @ts-expect-error Every line has a time.
    log.warn({ time: '10:00' }, 'late');
    // @ts-expect-error Every line has a message.
    log.line({ msg: 'hello' }, 'request');
  };
  expect(attempt).toBeTypeOf('function');
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installedProgram } from '@catalog/testkit/packed-program';
import { drawRecording, recordings, withoutDurations } from '../../tools/recordings/recordings.ts';
import { drawTerminal } from '../../tools/recordings/terminal-svg.ts';

const ROOT = join(import.meta.dirname, '../..');

test.each(recordings)('$path shows what the program prints', (recording) => {
  const drawn = drawRecording(recording, join(installedProgram(), 'bin'));
  const committed = readFileSync(join(ROOT, recording.path), 'utf8');
  expect(withoutDurations(committed), 'run ./dev recordings').toBe(withoutDurations(drawn));
});

test('a recording keeps colors and escapes what XML would read', () => {
  const svg = drawTerminal('a & b', [{ command: 'x', output: ['\u001B[32mok\u001B[39m <1>'] }]);
  expect(svg).toContain('aria-label="a &amp; b"');
  expect(svg).toContain('<tspan class="green">ok</tspan> &lt;1&gt;</text>');
});

test('a command that fails is not drawn', () => {
  const recording = { path: '', title: '', commands: ['catalog snyc'] };
  expect(() => drawRecording(recording, join(installedProgram(), 'bin'))).toThrow(/snyc: exit 2/);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installedProgram } from '@catalog/testkit/packed-program';
import { drawRecording, recordings, withoutDurations } from '../../tools/recordings/recordings.ts';
import { drawTerminalScreen, screens } from '../../tools/recordings/screens.ts';
import { drawScreen, drawTerminal } from '../../tools/recordings/terminal-svg.ts';
import { installTmux } from '../../tools/services/tmux.ts';

const ROOT = join(import.meta.dirname, '../..');

test.each(recordings)('$path shows the output of the program', (recording) => {
  const drawn = drawRecording(recording, join(installedProgram(), 'bin'));
  const committed = readFileSync(join(ROOT, recording.path), 'utf8');
  expect(withoutDurations(committed), 'run ./dev recordings').toBe(withoutDurations(drawn));
});

test.each(screens)(
  '$path shows the content of a terminal',
  { timeout: 120_000 },
  async (screen) => {
    const drawn = await drawTerminalScreen(
      screen,
      join(installedProgram(), 'bin'),
      await installTmux(),
    );
    const committed = readFileSync(join(ROOT, screen.path), 'utf8');
    expect(withoutDurations(committed), 'run ./dev recordings').toBe(withoutDurations(drawn));
  },
);

test(
  'drawTerminalScreen rejects a command with an unexpected exit code',
  { timeout: 120_000 },
  async () => {
    const steps = [{ type: 'catalog snyc', exit: 0 }];
    const screen = { path: '', title: '', columns: 80, rows: 24, steps };
    const tmux = await installTmux();
    await expect(drawTerminalScreen(screen, join(installedProgram(), 'bin'), tmux)).rejects.toThrow(
      /snyc: exit 2 instead of 0/,
    );
  },
);

test('drawScreen keeps a style until it is reset', () => {
  const svg = drawScreen('', 80, ['\u001B[2;36mone', 'two\u001B[0m three']);
  expect(svg).toContain('<tspan class="dim cyan">one</tspan></text>');
  expect(svg).toContain('<tspan class="dim cyan">two</tspan> three</text>');
});

test('drawTerminal keeps colors and escapes XML characters', () => {
  const svg = drawTerminal('a & b', [{ command: 'x', output: ['\u001B[32mok\u001B[39m <1>'] }]);
  expect(svg).toContain('aria-label="a &amp; b"');
  expect(svg).toContain('<tspan class="green">ok</tspan> &lt;1&gt;</text>');
});

test('drawRecording rejects a command that fails', () => {
  const recording = { path: '', title: '', commands: ['catalog snyc'] };
  expect(() => drawRecording(recording, join(installedProgram(), 'bin'))).toThrow(/snyc: exit 2/);
});

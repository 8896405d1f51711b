import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { drawRecording, recordings, withoutDurations } from './recordings/recordings.ts';
import { drawTerminalScreen, screens } from './recordings/screens.ts';
import { installTmux } from './services/tmux.ts';

const ROOT = join(import.meta.dirname, '..');

/**
 * `./dev recordings` draws the terminal recordings and screens of the documentation. `--check` only
 * compares them.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  const bin = mkdtempSync(join(tmpdir(), 'catalog-bin-'));
  const program = join(ROOT, 'packages/cli/dist/bin.js');
  writeFileSync(join(bin, 'catalog'), `#!/bin/sh\nexec node '${program}' "$@"\n`, { mode: 0o755 });
  try {
    const drawn = recordings.map((recording) => ({
      path: recording.path,
      svg: drawRecording(recording, bin),
    }));
    const tmux = await installTmux();
    for (const screen of screens) {
      drawn.push({ path: screen.path, svg: await drawTerminalScreen(screen, bin, tmux) });
    }
    const stale = drawn.filter(
      ({ path, svg }) => withoutDurations(svg) !== withoutDurations(readPresent(path)),
    );
    for (const { path, svg } of stale) {
      if (values.check) {
        process.stderr.write(`${path} is not current. Run ./dev recordings.\n`);
        continue;
      }
      mkdirSync(dirname(join(ROOT, path)), { recursive: true });
      writeFileSync(join(ROOT, path), svg);
      process.stdout.write(`wrote ${path}\n`);
    }
    return values.check && stale.length > 0 ? 1 : 0;
  } finally {
    rmSync(bin, { recursive: true, force: true });
  }
}

function readPresent(path: string): string {
  try {
    return readFileSync(join(ROOT, path), 'utf8');
  } catch {
    return '';
  }
}

process.exitCode = await main();

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BUILT = join(import.meta.dirname, '../packages/cli/dist');

let program: string | undefined;

export function catalogCommand(...words: string[]): string[] {
  program ??= keepProgram();
  return [process.execPath, join(program, 'bin.js'), ...words];
}

export function mcpServerCommand(...words: string[]): string[] {
  program ??= keepProgram();
  return [process.execPath, join(program, 'mcp.js'), ...words];
}

/** Copies the program, so that a build during the run does not change the measured code. */
function keepProgram(): string {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-program-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  cpSync(BUILT, folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}\n');
  return folder;
}

export function plainEnvironment(folder: string): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: folder, NO_COLOR: '1' };
}

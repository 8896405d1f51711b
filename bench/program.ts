import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BUILT = join(import.meta.dirname, '../packages/cli/dist');

let program: string | undefined;

/** A command line of the built program. */
export function catalogCommand(...words: string[]): string[] {
  program ??= keepProgram();
  return [process.execPath, join(program, 'bin.js'), ...words];
}

/** A command line of the built MCP server. */
export function mcpServerCommand(...words: string[]): string[] {
  program ??= keepProgram();
  return [process.execPath, join(program, 'mcp.js'), ...words];
}

/** A copy for this process: a build in the meantime must not change what is being measured. */
function keepProgram(): string {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-program-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  cpSync(BUILT, folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}\n');
  return folder;
}

/** The environment of a person who has configured nothing, at home in `folder`. */
export function plainEnvironment(folder: string): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: folder, NO_COLOR: '1' };
}

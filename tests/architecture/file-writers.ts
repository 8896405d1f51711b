import { listImports, resolveImport } from '../../tools/syntax/imports.ts';
import { loadSource, type SourceFile } from '../../tools/syntax/source-file.ts';
import { walk } from '../../tools/syntax/walk.ts';

/**
 * Restriction of a file that changes the disk (ADR-0072). `checked`: the file calls the check. `planned`: the file runs
 * a plan that `safety-rules.ts` checked, or a save that its caller checked. `records`: fixed names in `.catalog` of a
 * target. `home`: fixed names in `~/.catalog`. `elsewhere`: the cache, a temporary folder, or only reading.
 */
export type WriterKind = 'checked' | 'planned' | 'records' | 'home' | 'elsewhere';

export const FILE_WRITERS: Readonly<Record<string, WriterKind>> = {
  'packages/cli/src/commands/mcp/doctor/examine.ts': 'elsewhere',
  'packages/cli/src/commands/write-new-file.ts': 'checked',
  'packages/consumer/src/adopt/read-workspace.ts': 'elsewhere',
  'packages/consumer/src/adopt/write-packages.ts': 'checked',
  'packages/consumer/src/cache/cache-folder.ts': 'elsewhere',
  'packages/consumer/src/cache/pack-file.ts': 'elsewhere',
  'packages/consumer/src/compile-cache.ts': 'elsewhere',
  'packages/consumer/src/identity/credential-files.ts': 'home',
  'packages/consumer/src/lock/local-state.ts': 'records',
  'packages/consumer/src/lock/state-folder.ts': 'records',
  'packages/consumer/src/lock/state-key.ts': 'home',
  'packages/consumer/src/marketplace/check-out.ts': 'checked',
  'packages/consumer/src/marketplace/run-program.ts': 'elsewhere',
  'packages/consumer/src/materialize/write-loaded.ts': 'checked',
  'packages/consumer/src/sync/apply-directory.ts': 'checked',
  'packages/consumer/src/sync/checked-writer.ts': 'planned',
  'packages/consumer/src/sync/clear-records.ts': 'records',
  'packages/consumer/src/sync/journal.ts': 'records',
  'packages/consumer/src/sync/kept-files.ts': 'records',
  'packages/consumer/src/sync/leftover-files.ts': 'planned',
  'packages/consumer/src/sync/save-files.ts': 'planned',
  'packages/consumer/src/sync/stage-folders.ts': 'planned',
  'packages/consumer/src/sync/undo-record.ts': 'planned',
  'packages/consumer/src/sync/write-file.ts': 'planned',
  'packages/consumer/src/trust/approvals-file.ts': 'home',
  'packages/consumer/src/signing/trusted-keys-file.ts': 'home',
  'packages/consumer/src/trust/trust-file.ts': 'home',
};

/** Modules whose functions decide if a path or a directory may be written. */
const CHECKS: ReadonlySet<string> = new Set([
  'packages/consumer/src/exclusions/editable-file.ts',
  'packages/consumer/src/paths/refuse-directory.ts',
  'packages/consumer/src/paths/refuse-path.ts',
  'packages/consumer/src/sync/parent-guard.ts',
  'packages/consumer/src/sync/safety/safety-rules.ts',
]);

const WRITE_FILE = 'packages/consumer/src/sync/write-file.ts';
const WRITE_FILE_FUNCTIONS: ReadonlySet<string> = new Set([
  'openReplacer',
  'replaceFile',
  'writeNew',
]);

const FILE_SYSTEM = /^(?:node:)?fs(?:\/promises)?$/;
const READERS =
  /^(?:access|close|exists|fstat|fsync|lstat|opendir|read|readFile|readdir|readlink|realpath|stat|statfs|watch|watchFile|unwatchFile|constants|createReadStream)(?:Sync)?$/;

export function findWrites(path: string, text: string): string[] {
  if (!/fs['"/]|\/write-file/.test(text)) return [];
  const source = loadSource(path, text);
  const found: string[] = [];
  walk(source.program, (node) => {
    if (node.type !== 'ImportDeclaration' || node.importKind === 'type') return;
    const isFileSystem = FILE_SYSTEM.test(node.source.value);
    const isWriteFile = resolveImport(path, node.source.value) === WRITE_FILE;
    for (const specifier of node.specifiers) {
      if (specifier.type !== 'ImportSpecifier') {
        if (isFileSystem || isWriteFile) found.push('*');
        continue;
      }
      const { imported } = specifier;
      const name = imported.type === 'Identifier' ? imported.name : imported.value;
      const isType = specifier.importKind === 'type';
      if (isFileSystem && !isType && !READERS.test(name)) found.push(name);
      if (isWriteFile && WRITE_FILE_FUNCTIONS.has(name)) found.push(name);
    }
  });
  if (listImports(source).some((one) => one.specifier !== undefined && isLate(source, one.start))) {
    found.push('import()');
  }
  return found;
}

/** Returns true for a dynamic import of the file system, whose imported names are unknown. */
function isLate({ text }: SourceFile, start: number): boolean {
  return /^import\(\s*['"](?:node:)?fs/.test(text.slice(start, start + 40));
}

export function importsCheck(path: string, text: string): boolean {
  return listImports(loadSource(path, text)).some(
    ({ specifier, type_only }) =>
      !type_only && specifier !== undefined && CHECKS.has(resolveImport(path, specifier) ?? ''),
  );
}

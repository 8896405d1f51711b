import type { PackageFile } from '@catalog/core/artifact/types';
import type { SourceFile } from './candidate.ts';
import { HOOK_FOLDER } from './native-hook-script.ts';

/** A file of the workspace by its path; undefined where there is none, or it must not be read. */
export type FindFile = (path: string) => PackageFile | undefined;

/** The variables by which products name the folder of the project, or a path by itself. */
const PATHS =
  /(?<quote>"?)\$\{?(?:[A-Z]+_)*PROJECT_DIR\}?\k<quote>\/(?<below>[\w.+-]+(?:\/[\w.+-]+)*)|(?<![\w./~$"'\\-])(?:\.\/)?(?<plain>[\w.+-]+(?:\/[\w.+-]+)+)/g;

/** The paths a command may run a script of the workspace by. */
export function scriptPaths(command: string): string[] {
  return [...command.matchAll(PATHS)].map(
    ({ groups }) => groups?.['below'] ?? groups?.['plain'] ?? '',
  );
}

/**
 * The scripts of the workspace a command runs, as bundled files, and the command as it finds them
 * there: by a variable, or by their path in the package.
 */
export function bundleScripts(
  command: string,
  findFile: FindFile,
  by: 'variable' | 'path',
): { command: string; resources: SourceFile[]; changes: string[] } {
  const resources = new Map<string, SourceFile>();
  const changes: string[] = [];
  const rewritten = command.replaceAll(PATHS, (whole, ...rest) => {
    const groups: Record<string, string | undefined> = rest.at(-1);
    const path = groups['below'] ?? groups['plain'] ?? '';
    const file = findFile(path);
    if (file === undefined) return whole;
    const bundled = `scripts/${path.slice(path.lastIndexOf('/') + 1)}`;
    const standing = resources.get(bundled);
    if (standing !== undefined && standing.bytes !== file.bytes) return whole;
    const { bytes, executable } = file;
    resources.set(bundled, { source: path, path: bundled, bytes, executable });
    changes.push(`${path} is bundled as ${bundled}`);
    if (by === 'path') return bundled;
    const quote = groups['quote'] ?? '"';
    return `${quote}$${HOOK_FOLDER}${quote}/${bundled}`;
  });
  return { command: rewritten, resources: [...resources.values()], changes };
}

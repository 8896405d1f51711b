import type { PackageFile } from '@catalog/core/artifact/types';
import type { SourceFile } from './candidate.ts';
import { HOOK_FOLDER } from './native-hook-script.ts';
import { childPath } from './template-names.ts';

/** Finds a file; undefined if it is missing or must not be read. */
export type FindFile = (path: string) => PackageFile | undefined;

/** Paths in a command: after an environment variable for the project folder, or relative. */
const PATHS =
  /(?<quote>"?)\$\{?(?:[A-Z]+_)*PROJECT_DIR\}?\k<quote>\/(?<below>[\w.+-]+(?:\/[\w.+-]+)*)|(?<![\w./~$"'\\-])(?:\.\/)?(?<plain>[\w.+-]+(?:\/[\w.+-]+)+)/g;

const PLUGIN_FOLDER = String.raw`\$\{?(?:(?:[A-Z]+_)*PLUGIN_ROOT|extensionPath)\b\}?`;
const PLUGIN_PATHS = new RegExp(
  String.raw`(?<quote>"?)${PLUGIN_FOLDER}\k<quote>/(?<below>[\w.+-]+(?:/[\w.+-]+)*)`,
  'g',
);

export function namesPluginFolder(text: string): boolean {
  return new RegExp(PLUGIN_FOLDER).test(text);
}

export function scriptPaths(command: string, in_plugin?: string): string[] {
  const paths = [...command.matchAll(in_plugin === undefined ? PATHS : PLUGIN_PATHS)].map(
    ({ groups }) => groups?.['below'] ?? groups?.['plain'] ?? '',
  );
  return in_plugin === undefined ? paths : paths.map((path) => childPath(in_plugin, path));
}

/** Bundles the scripts of a command, and rewrites the command to find them in the package. */
export function bundleScripts(
  command: string,
  findFile: FindFile,
  by: 'variable' | 'path',
  in_plugin?: string,
): { command: string; resources: SourceFile[]; changes: string[] } {
  const resources = new Map<string, SourceFile>();
  const changes: string[] = [];
  const pattern = in_plugin === undefined ? PATHS : PLUGIN_PATHS;
  const rewritten = command.replaceAll(pattern, (whole, ...rest) => {
    const groups: Record<string, string | undefined> = rest.at(-1);
    const below = groups['below'] ?? groups['plain'] ?? '';
    const path = in_plugin === undefined ? below : childPath(in_plugin, below);
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

import type { ConfigFile, Origin, TargetOrigins } from '../config/types.ts';

/** Returns true if a value comes from a file that may be part of a clone. */
export function isOfWorkspace({ kind }: Origin): boolean {
  return kind === 'workspace' || kind === 'workspace-local';
}

/** Returns true if the user typed the output folder, which is the consent to write into it. */
export function isTyped({ origins }: { origins: TargetOrigins }): boolean {
  return origins.directory.every(({ kind }) => kind === 'flag');
}

export function listWorkspaceFiles(
  files: readonly ConfigFile[],
  origins: readonly Origin[],
): ConfigFile[] {
  const named = new Set(origins.filter(isOfWorkspace).map(({ name }) => name));
  return files.filter(({ path, origin }) => isOfWorkspace(origin) && named.has(path));
}

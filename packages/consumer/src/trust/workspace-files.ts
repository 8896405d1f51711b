import type { ConfigFile, Origin, TargetOrigins } from '../config/types.ts';

/** Whether a value comes from a file that may have come with a clone. */
export function isOfWorkspace({ kind }: Origin): boolean {
  return kind === 'workspace' || kind === 'workspace-local';
}

/** Whether the user typed the folder of a target, as the choice for everything a workspace writes. */
export function isTyped({ origins }: { origins: TargetOrigins }): boolean {
  return origins.directory.every(({ kind }) => kind === 'flag');
}

/** The files of the workspace among the origins of some values, each once. */
export function listWorkspaceFiles(
  files: readonly ConfigFile[],
  origins: readonly Origin[],
): ConfigFile[] {
  const named = new Set(origins.filter(isOfWorkspace).map(({ name }) => name));
  return files.filter(({ path, origin }) => isOfWorkspace(origin) && named.has(path));
}

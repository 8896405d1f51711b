import { isJsonObject } from '@catalog/core/json';
import type { AdoptSource } from './adopt-source.ts';
import type { FoundFile } from './candidate.ts';
import { scriptPaths } from './hook-scripts.ts';
import { settingsOf } from './product-text.ts';
import { listCommands } from './read-hooks.ts';
import { nameIn } from './template-names.ts';

export function wantedScripts(
  sources: readonly AdoptSource[],
  files: ReadonlyMap<string, FoundFile>,
): string[] {
  const paths = sources.flatMap((source) => {
    if (source.kind !== 'hooks') return [];
    return [...files.values()]
      .filter(({ path }) => path === source.path || nameIn(source.path, path) !== undefined)
      .flatMap((file) => {
        const settings = settingsOf(file);
        const events = 'left' in settings ? undefined : source.lists(settings.values);
        return isJsonObject(events) ? listCommands(events) : [];
      })
      .flatMap((native) => ('left' in native ? [] : scriptPaths(native.command, source.in_plugin)));
  });
  return [...new Set(paths)].filter((path) => !files.has(path));
}

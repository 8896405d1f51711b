import { compileScope } from '@catalog/core/scope/scope-filter';
import { isOfTarget } from '../config/configured-target.ts';
import { listConfiguredTargets } from '../config/resolve-targets.ts';
import type { Config, ResolvedTarget } from '../config/types.ts';
import type { CatalogEntry } from '../source/catalog-source.ts';

/** Returns the setting that excludes an artifact from all targets; undefined if there is none. */
export function explainExclusion(config: Config, entry: CatalogEntry): string | undefined {
  const [first] = config.targets;
  if (first === undefined) return undefined;
  if (config.targets.some(({ scope }) => compileScope(scope)(entry))) return undefined;
  const matches = (pattern: string): boolean =>
    !compileScope({ include: [], exclude: [pattern], type: [] })(entry);
  for (const { value, origin } of config.exclude) {
    const pattern = value.find(matches);
    if (pattern !== undefined) return `\`${pattern}\` under \`defaults.exclude\` in ${origin.name}`;
  }
  const pattern = first.scope.exclude.find(matches);
  const place = placeOf(first, pattern === undefined ? 'include' : 'exclude', config);
  return pattern === undefined
    ? `\`include\` or \`type\` of ${place}`
    : `\`${pattern}\` under \`exclude\` of ${place}`;
}

function placeOf(
  { id, profile }: ResolvedTarget,
  list: 'include' | 'exclude',
  { files }: Config,
): string {
  const listed = listConfiguredTargets(files).find((target) => isOfTarget(id, target.id));
  const isOwn = listed?.[list] !== undefined || (list === 'include' && listed?.type !== undefined);
  return isOwn || profile === undefined ? `target ${id}` : `profile ${profile}`;
}

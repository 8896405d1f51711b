import { compileScope } from '@catalog/core/scope/scope-filter';
import type { Assignment } from './assign-plugins.ts';

/** Returns warnings about plugins. A selection that matches nothing is usually a mistake. */
export function pluginWarnings<Entry extends { id: string; type: string }>(
  entries: readonly Entry[],
  { plugins }: Pick<Assignment<Entry>, 'plugins'>,
): { plugin: string; reason: string }[] {
  return plugins.flatMap(({ rule: { name, include }, entries: own }) => {
    const idle = include.filter((pattern) => {
      const takes = compileScope({ include: [pattern], exclude: [], type: [] });
      return !entries.some(takes);
    });
    const reasons = idle.map((pattern) => `the pattern ${pattern} matches no artifact`);
    if (own.length === 0 && (include.length === 0 || idle.length < include.length)) {
      reasons.push('no artifact is left for it: a plugin before it, `exclude` or `type` takes all');
    }
    return reasons.map((reason) => ({ plugin: name, reason }));
  });
}

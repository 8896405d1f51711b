import { readYaml } from '../manifest/read-yaml.ts';

/**
 * Returns the harnesses that a frontmatter block, with fences, names in `target_harnesses`. An empty
 * list means any harness. A block that cannot be shown or read names none.
 */
export function listTargets(frontmatter: string | null): string[] {
  if (frontmatter?.includes('target_harnesses') !== true) return [];
  const reading = readYaml(frontmatter.replaceAll(/^---[ \t]*\r?$/gm, ''));
  const targets = reading.kind === 'ok' ? reading.values['target_harnesses'] : undefined;
  return Array.isArray(targets) ? targets.filter((target) => typeof target === 'string') : [];
}

/** Returns true if an artifact with this frontmatter block is for a harness. */
export function targetsHarness(frontmatter: string | null, harness: string): boolean {
  const targets = listTargets(frontmatter);
  return targets.length === 0 || targets.includes(harness);
}

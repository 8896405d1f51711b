import { readYaml } from '../manifest/read-yaml.ts';

/**
 * Returns the target harnesses of an artifact. An empty list means any harness, also if the frontmatter is unreadable.
 */
export function listTargets(frontmatter: string | null): string[] {
  if (frontmatter?.includes('target_harnesses') !== true) return [];
  const reading = readYaml(frontmatter.replaceAll(/^---[ \t]*\r?$/gm, ''));
  const targets = reading.kind === 'ok' ? reading.values['target_harnesses'] : undefined;
  return Array.isArray(targets) ? targets.filter((target) => typeof target === 'string') : [];
}

export function targetsHarness(frontmatter: string | null, harness: string): boolean {
  const targets = listTargets(frontmatter);
  return targets.length === 0 || targets.includes(harness);
}

import { readYaml } from '../manifest/read-yaml.ts';

/**
 * Returns true if an artifact is for a harness: its frontmatter block, with fences, names the harness
 * in `target_harnesses`, or names none. A block that cannot be shown or read names none.
 */
export function targetsHarness(frontmatter: string | null, harness: string): boolean {
  if (frontmatter?.includes('target_harnesses') !== true) return true;
  const reading = readYaml(frontmatter.replaceAll(/^---[ \t]*\r?$/gm, ''));
  const targets = reading.kind === 'ok' ? reading.values['target_harnesses'] : undefined;
  return !Array.isArray(targets) || targets.length === 0 || targets.includes(harness);
}

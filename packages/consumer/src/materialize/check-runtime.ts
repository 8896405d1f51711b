import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Artifact, RuntimeRequirements } from '@catalog/core/artifact/types';
import type { HostProbes } from './host-probes.ts';
import { inRange } from './version-range.ts';

const MAX_NAMED = 20;

const PYTHON = ['python3', 'python'];
const NODE = ['node'];

/**
 * Throws if this machine does not meet the runtime requirements of artifacts (ERR-56, SPEC-63), before anything is
 * written.
 */
export async function checkRuntime(
  artifacts: readonly Pick<Artifact, 'id' | 'version' | 'fields'>[],
  probes: HostProbes,
): Promise<void> {
  const unmet: { id: string; version: string; missing: string[] }[] = [];
  for (const { id, version, fields } of artifacts) {
    const { runtime_requirements: wanted } = fields;
    const missing = wanted === undefined ? [] : await listMissing(wanted, probes);
    if (missing.length > 0) unmet.push({ id, version, missing });
  }
  const [first] = unmet;
  if (first === undefined) return;
  const lines = unmet.map(({ id, missing }) => `  ${id}: ${missing.join('; ')}`);
  const rest = lines.length - MAX_NAMED;
  const shown = rest > 0 ? [...lines.slice(0, MAX_NAMED), `  and ${rest} more`] : lines;
  const what = unmet.length === 1 ? 'An artifact requires' : `${unmet.length} artifacts require`;
  throw new CatalogError(
    'materialize.runtime_unavailable',
    `${what} runtimes or packages that this machine does not have; nothing was written.\n${shown.join('\n')}`,
    {
      details: {
        artifact_id: first.id,
        version: first.version,
        missing: [...new Set(unmet.flatMap(({ missing }) => missing))],
      },
    },
  );
}

async function listMissing(
  { python, node, system_packages = [] }: RuntimeRequirements,
  probes: HostProbes,
): Promise<string[]> {
  const missing: string[] = [];
  if (python !== undefined) missing.push(...(await listUnmet('Python', python, PYTHON, probes)));
  if (node !== undefined) missing.push(...(await listUnmet('Node', node, NODE, probes)));
  for (const name of system_packages) {
    if (!(await probes.hasPackage(name))) missing.push(`system package ${name}`);
  }
  return missing;
}

async function listUnmet(
  name: string,
  range: string,
  commands: readonly string[],
  probes: HostProbes,
): Promise<string[]> {
  const version = await probes.version(commands);
  if (version === undefined) return [`${name} ${range} (not installed)`];
  const isSatisfied = inRange(version, range);
  if (isSatisfied === true) return [];
  const why =
    isSatisfied === undefined ? 'which is not a version range' : `installed: ${version.join('.')}`;
  return [`${name} ${range} (${why})`];
}

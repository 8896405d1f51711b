import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { nearest } from '@catalog/core/text/nearest';
import { CLIENT_VARIABLES, findMissing } from './unsupported-settings.ts';
import type { Environment } from './interpolate.ts';
import { notBuilt } from './read-registry-file.ts';
import type { Setting } from './setting.ts';

const PREFIX = 'CATALOG_';

const START_VARIABLES = ['CATALOG_CONFIG_FILE'];

/** Rejects unknown variables that resemble settings of the server. Ignores those of consumers. */
export function checkVariables(
  env: Environment,
  settings: Readonly<Record<string, Setting>>,
): void {
  const own = new Set([
    ...START_VARIABLES,
    ...Object.values(settings).flatMap((setting) => setting.env ?? []),
  ]);
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith(PREFIX) || value === undefined || value === '' || own.has(name)) continue;
    if (CLIENT_VARIABLES.includes(name)) continue;
    const missing = findMissing(name);
    if (missing !== undefined) {
      const { message, fix } = notBuilt(name, missing);
      throw refused(name, message, fix);
    }
    const near = nearestName(name, [...own, ...CLIENT_VARIABLES]);
    if (near === undefined || !own.has(near)) continue;
    throw refused(name, `Unknown environment variable ${name}.`, `Did you mean ${near}?`, near);
  }
}

/** Finds the most similar name. The common prefix is ignored, because all names share it. */
function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const tails = candidates
    .filter((candidate) => candidate.startsWith(PREFIX))
    .map((candidate) => candidate.slice(PREFIX.length));
  const tail = nearest(name.slice(PREFIX.length), tails, 2);
  return tail === undefined ? undefined : PREFIX + tail;
}

function refused(name: string, message: string, fix: string, near?: string): CatalogError {
  return new CatalogError('config.invalid', message, {
    details: { key: name, ...(near === undefined ? {} : { did_you_mean: near }) },
    suggested_action: fix,
  });
}

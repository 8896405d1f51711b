import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '@catalog/contract/endpoints/table';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { allCells } from './cells.ts';
import { openCredentials } from './credentials.ts';
import { modes } from './dimensions.ts';
import { essentialCells } from './essential.ts';
import { openStage } from './fixture.ts';
import { playCells, type Difference } from './play.ts';
import { ROUTES } from './routes.ts';
import { serveMode } from './serve-mode.ts';

/** Includes indirect imports, and lists imports other than relative ones as written. */
function reachedFrom(file: string, reached = new Set<string>()): Set<string> {
  if (reached.has(file)) return reached;
  reached.add(file);
  const text = readFileSync(join(import.meta.dirname, file), 'utf8');
  for (const [, from = ''] of text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)) {
    if (/^\.\/[a-z-]+\.ts$/.test(from)) reachedFrom(from.slice(2), reached);
    else reached.add(from);
  }
  return reached;
}

describe('the oracle', () => {
  test('imports nothing from the product, directly or indirectly', () => {
    const files = reachedFrom('oracle.ts');
    expect([...files].toSorted()).toEqual([
      'decision-rule.ts',
      'dimensions.ts',
      'facts.ts',
      'layer-tables.ts',
      'oracle.ts',
      'response-tables.ts',
      'routes.ts',
    ]);
  });

  test('covers every route of the contract, and the matrix requests each of them', () => {
    const knownRoutes = Object.keys(ROUTES);
    const names = endpoints.map(({ name }) => name);
    const requestedRoutes = new Set(allCells().map(({ route }) => route));
    expect(names.filter((name) => !knownRoutes.includes(name))).toEqual([]);
    expect(names.filter((name) => !requestedRoutes.has(name))).toEqual([]);
    expect(knownRoutes.filter((name) => !requestedRoutes.has(name))).toEqual([]);
  });
});

/** Maximum number of differences in the message; the stress test counts all. */
const MAX_DIFFERENCES = 5;
const TIMEOUT_MS = 300_000;

test(
  'the cells that reach every rule get the response that the oracle expects',
  { timeout: TIMEOUT_MS },
  async () => {
    const folder = temporaryFolder();
    const credentials = await openCredentials(folder);
    const stage = await openStage('sqlite', join(folder, 'stage'));
    const cells = essentialCells();
    const differences: Difference[] = [];
    for (const mode of modes) {
      const own = cells.filter((cell) => cell.mode === mode);
      if (own.length === 0) continue;
      const served = await serveMode(stage, mode, credentials);
      differences.push(...(await playCells(served, credentials, own, MAX_DIFFERENCES)));
      await served.close();
      if (differences.length > 0) break;
    }
    await stage.close();
    await credentials.close();
    expect(differences.map(({ cell, problems }) => `${cell}: ${problems.join('; ')}`)).toEqual([]);
  },
);

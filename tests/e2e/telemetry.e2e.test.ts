import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startOtlpCollector } from '@catalog/testkit/otlp-collector';
import { expect, test } from 'vitest';
import { openWorkspace } from './workspace.ts';

const LIST_MODULES = join(import.meta.dirname, 'preload/list-modules.mjs');
/** Text of OTLP that no other module of the program contains. */
const OTLP = 'scopeMetrics';

async function loadedModules(
  settings: Readonly<Record<string, string>>,
): Promise<{ all: string[]; telemetry: string[] }> {
  const workspace = openWorkspace();
  const list = join(workspace.root, 'modules.txt');
  const running = workspace.start('serve --json --bind 127.0.0.1:0', {
    ...settings,
    NODE_OPTIONS: `--import=${LIST_MODULES}`,
    TEST_MODULES_FILE: list,
  });
  const [line] = await running.waitFor('stdout', /^\{.*\}$/m);
  const { url }: { url: string } = JSON.parse(line);
  await fetch(`${url}/v1/catalog`);
  running.signal('SIGTERM');
  expect((await running.ended).code).toBe(0);
  const all = readFileSync(list, 'utf8')
    .split('\n')
    .filter((module) => module.startsWith('file:'));
  const telemetry = all.filter((module) =>
    readFileSync(fileURLToPath(module), 'utf8').includes(OTLP),
  );
  return { all, telemetry };
}

test('the program loads its OpenTelemetry module only if a collector is configured', async () => {
  const without = await loadedModules({});
  expect(without.all.length).toBeGreaterThan(10);
  expect(without.telemetry).toEqual([]);
  const collector = await startOtlpCollector();
  const { telemetry } = await loadedModules({ CATALOG_OTLP_ENDPOINT: collector.url });
  expect(telemetry).toHaveLength(1);
});

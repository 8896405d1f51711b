import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSettings } from '@catalog/server/config/load';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { load, loadAll } from 'js-yaml';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { installTool } from '../../tools/services/go-programs.ts';
import { installOnce } from '../../tools/services/install-once.ts';
import { runProgram } from '../../tools/services/run-program.ts';

const CHART = join(import.meta.dirname, '../../deploy/helm/catalog');
const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
/** The first time, helm is built from source. */
const INSTALL_MS = 600_000;

let helm = '';
let validate: (text: string) => Promise<string> = () => Promise.reject(new Error('not installed'));

beforeAll(async () => {
  helm = await installTool('helm');
  const python = await installOnce({
    key: 'kubernetes-validate-1.37.0',
    build: async (folder) => {
      const how = ['--quiet', '--no-deps', '--target', folder, '-r', REQUIREMENTS];
      await runProgram('python3', ['-m', 'pip', 'install', ...how]);
    },
  });
  validate = async (text) => {
    const file = join(temporaryFolder(), 'rendered.yaml');
    writeFileSync(file, text);
    const words = ['-m', 'kubernetes_validate', '--strict', '--no-warn', file];
    return runProgram('python3', words, { env: { PYTHONPATH: python } });
  };
}, INSTALL_MS);

const resource = z.object({
  kind: z.string(),
  metadata: z.object({ name: z.string() }),
  data: z.record(z.string(), z.string()).optional(),
});
type Resource = z.infer<typeof resource>;

async function render(...values: string[]): Promise<{ text: string; resources: Resource[] }> {
  const set = values.flatMap((value) => ['--set', value]);
  const words = ['template', 'x', CHART, '--kube-version', '1.31.0', ...set];
  const text = await runProgram(helm, words);
  return { text, resources: z.array(resource).parse(loadAll(text)) };
}

describe('the Helm chart', () => {
  test('passes its linter', async () => {
    expect(await runProgram(helm, ['lint', '--strict', CHART])).toContain('0 chart(s) failed');
  });

  test.each([
    { values: [] },
    { values: ['ingress.enabled=true', 'networkPolicy.enabled=false', 'migration.enabled=false'] },
    { values: ['allowPublicBind=true', 'replicas=1', 'readinessPath=/healthz'] },
  ])('renders what Kubernetes takes, with $values', async ({ values }) => {
    const { text, resources } = await render(...values);
    expect(resources.map(({ kind }) => kind)).toContain('Deployment');
    await validate(text);
  });

  test('that is wrong is caught by this very check', async () => {
    const { text } = await render();
    await expect(validate(text.replace('replicas: 3', 'replicaz: 3'))).rejects.toMatchObject({
      stdout: expect.stringContaining('replicaz'),
    });
  });

  test('starts its pods anew when what they read changes', async () => {
    const sums = await Promise.all(
      [['allowPublicBind=false'], ['allowPublicBind=true'], ['settings.dev=true']].map(
        async (values) => /checksum\/settings: (\w+)/.exec((await render(...values)).text)?.[1],
      ),
    );
    expect(new Set(sums).size).toBe(3);
  });

  test('refuses values it does not know', async () => {
    await expect(render('replica=3')).rejects.toThrow('replica');
  });

  test('gives the registry settings it accepts, and only with a word for an open door', async () => {
    const secrets = {
      CATALOG_POSTGRES_DSN: 'postgres://c:c@db/c',
      CATALOG_S3_BUCKET: 'catalog',
      CATALOG_S3_REGION: 'us-east-1',
    };
    expect(() => readSettings(closed, secrets)).toThrow(/Cannot bind to/);
    const { resources } = await render('allowPublicBind=true');
    const { settings } = readSettings(resources, secrets);
    expect(settings).toMatchObject({ 'store.type': 'postgres', 'object_store.type': 's3' });
    // Callers whom nobody authenticates change nothing, unless the operator says so (decision 76).
    expect(settings.open_writes).toBe('deny');
    const allowed = await render('allowPublicBind=true', 'openWrites=allow');
    expect(readSettings(allowed.resources, secrets).settings.open_writes).toBe('allow');
    await expect(render('openWrites=maybe')).rejects.toThrow('openWrites');
  });

  let closed: Resource[] = [];
  beforeAll(async () => void (closed = (await render()).resources));
});

function readSettings(resources: readonly Resource[], env: Record<string, string>) {
  const text = resources.find(({ kind }) => kind === 'ConfigMap')?.data?.['registry.yaml'] ?? '';
  expect(load(text)).toHaveProperty('registry');
  const folder = temporaryFolder();
  const config = join(folder, 'registry.yaml');
  writeFileSync(config, text);
  return loadSettings({ cwd: folder, home: folder, env, flags: {}, config });
}

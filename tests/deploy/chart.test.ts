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

const named = z.object({ name: z.string() });
const pod = z.looseObject({
  containers: z.array(
    z.object({
      env: z.array(named).optional(),
      volumeMounts: z.array(z.object({ mountPath: z.string() })),
    }),
  ),
  volumes: z.array(named),
});
const resource = z.object({
  kind: z.string(),
  metadata: z.object({ name: z.string() }),
  data: z.record(z.string(), z.string()).optional(),
  spec: z.object({ template: z.object({ spec: pod }).optional() }).optional(),
});
const gracePeriod = z.object({
  spec: z.object({
    template: z.object({ spec: z.object({ terminationGracePeriodSeconds: z.int() }) }),
  }),
});
type Resource = z.infer<typeof resource>;

/** Words that render with a file of values. */
function fromFile(name: string | undefined): string[] {
  return name === undefined ? [] : [`--values=${join(import.meta.dirname, 'values', name)}`];
}

/** Renders the chart with values, or with words that start with two hyphens. */
async function render(...values: string[]): Promise<{ text: string; resources: Resource[] }> {
  const set = values.flatMap((value) => (value.startsWith('--') ? [value] : ['--set', value]));
  const words = ['template', 'x', CHART, '--kube-version', '1.31.0', ...set];
  const text = await runProgram(helm, words);
  return { text, resources: z.array(resource).parse(loadAll(text)) };
}

describe('the Helm chart', () => {
  test('passes its linter', async () => {
    expect(await runProgram(helm, ['lint', '--strict', CHART])).toContain('0 chart(s) failed');
  });

  test.each([
    { kind: 'StatefulSet', values: [] },
    {
      kind: 'StatefulSet',
      values: ['ingress.enabled=true', 'networkPolicy.enabled=false', 'migration.enabled=false'],
    },
    {
      kind: 'Deployment',
      values: ['allowPublicBind=true', 'replicas=1', 'cache.persistent=false'],
    },
    { kind: 'StatefulSet', values: ['autoscaling.enabled=true', 'cache.storageClassName=fast'] },
    { kind: 'StatefulSet', values: [], file: 'files.yaml' },
    { kind: 'Deployment', values: ['cache.persistent=false'], file: 'egress.yaml' },
  ])('renders what Kubernetes takes, with $values $file', async ({ kind, values, file }) => {
    const { text, resources } = await render(...values, ...fromFile(file));
    expect(resources.map((one) => one.kind)).toContain(kind);
    await validate(text);
  });

  test('keeps clones in a claim per process, unless told otherwise', async () => {
    const kept = await render();
    expect(kept.text).toContain('volumeClaimTemplates');
    expect(kept.text).not.toMatch(/name: state\n\s+emptyDir/);
    const lost = await render('cache.persistent=false');
    expect(lost.text).toMatch(/name: state\n\s+emptyDir/);
    expect(lost.text).not.toContain('volumeClaimTemplates');
  });

  test('mounts the files that settings name, in the registry and in the migration job', async () => {
    const { resources } = await render(...fromFile('files.yaml'));
    const pods = resources.flatMap(({ spec }) => spec?.template?.spec ?? []);
    expect(pods).toHaveLength(2);
    for (const pod of pods) {
      const [container] = pod.containers;
      const mounted = container?.volumeMounts.map(({ mountPath }) => mountPath);
      expect(mounted).toEqual(
        expect.arrayContaining(['/etc/catalog-files', '/etc/catalog-keys', '/opt/catalog-plugins']),
      );
      const volumes = pod.volumes.map(({ name }) => name);
      expect(volumes).toEqual(expect.arrayContaining(['files', 'keys', 'plugins']));
      expect(container?.env?.map(({ name }) => name)).toContain('HTTPS_PROXY');
    }
  });

  test('leaves the number of processes to the autoscaler', async () => {
    const { text } = await render('autoscaling.enabled=true');
    expect(text).not.toContain('replicas: 3');
    expect(text).toMatch(/scaleTargetRef:\n\s+apiVersion: apps\/v1\n\s+kind: StatefulSet/);
  });

  test('restricts outgoing connections on request, and always allows DNS', async () => {
    expect((await render()).text).toContain('policyTypes: [Ingress]');
    const { text } = await render(...fromFile('egress.yaml'));
    expect(text).toContain('policyTypes: [Ingress, Egress]');
    expect(text).toContain('port: 53');
    expect(text).toContain('port: 5432');
  });

  test('serves metrics on a port of their own, and probes on the public one', async () => {
    const { text, resources } = await render('podMonitor.enabled=true');
    expect(load(settingsText(resources))).toMatchObject({
      registry: { management_bind: '0.0.0.0:9090' },
    });
    expect(text).toMatch(/name: management\n\s+containerPort: 9090/);
    expect(text).toMatch(/podMetricsEndpoints:\n\s+- port: management\n/);
    expect(text.match(/httpGet: .* port: http /g)).toHaveLength(3);
    const services = resources.filter(({ kind }) => kind === 'Service');
    expect(JSON.stringify(services)).not.toContain('management');
  });

  test('lets the peers of the registry scrape metrics, unless others are named', async () => {
    const peers = /- from:\n(?<peers>(?:\s+.*\n)+?)\s+ports:\n\s+- port: (?<port>\w+)/g;
    const peersOf = async (...values: string[]): Promise<Record<string, string>> => {
      const { text } = await render(...values);
      const found = [...text.matchAll(peers)].map(({ groups }) => groups ?? {});
      return Object.fromEntries(found.map(({ port, peers: all }) => [port, all?.trim()]));
    };
    expect(await peersOf()).toEqual({
      http: '- podSelector: {}',
      management: '- podSelector: {}',
    });
    const from = 'networkPolicy.from[0].podSelector.matchLabels.app=proxy';
    const same = await peersOf(from);
    expect(same['management']).toBe(same['http']);
    expect(same['http']).toContain('app: proxy');
    const own = await peersOf(
      from,
      'networkPolicy.managementFrom[0].podSelector.matchLabels.app=prometheus',
    );
    expect(own['http']).toContain('app: proxy');
    expect(own['management']).toContain('app: prometheus');
    expect(own['management']).not.toContain('app: proxy');
  });

  test('spreads processes over nodes and zones', async () => {
    const { text } = await render();
    expect(text).toContain('topologyKey: kubernetes.io/hostname');
    expect(text).toContain('topologyKey: topology.kubernetes.io/zone');
    const { text: other } = await render('topologySpreadConstraints=null');
    expect(other).not.toContain('topologySpreadConstraints');
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
    // A pod is killed after its grace period.
    const [registry] = z
      .array(gracePeriod)
      .parse(resources.filter(({ kind }) => kind === 'StatefulSet'));
    const { shutdown_delay, shutdown_timeout } = settings;
    expect(shutdown_delay).toBeGreaterThan(0);
    expect(registry?.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(
      shutdown_delay + shutdown_timeout,
    );
    // Callers whom nobody authenticates change nothing, unless the operator says so (SPEC-76).
    expect(settings.open_writes).toBe('deny');
    const allowed = await render('allowPublicBind=true', 'openWrites=allow');
    expect(readSettings(allowed.resources, secrets).settings.open_writes).toBe('allow');
    await expect(render('openWrites=maybe')).rejects.toThrow('openWrites');
  });

  let closed: Resource[] = [];
  beforeAll(async () => void (closed = (await render()).resources));
});

function settingsText(resources: readonly Resource[]): string {
  return resources.find(({ kind }) => kind === 'ConfigMap')?.data?.['registry.yaml'] ?? '';
}

function readSettings(resources: readonly Resource[], env: Record<string, string>) {
  const text = settingsText(resources);
  expect(load(text)).toHaveProperty('registry');
  const folder = temporaryFolder();
  const config = join(folder, 'registry.yaml');
  writeFileSync(config, text);
  return loadSettings({ cwd: folder, home: folder, env, flags: {}, config });
}

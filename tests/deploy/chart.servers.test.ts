import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSettings } from '@catalog/server/config/load';
import { SETTINGS } from '@catalog/server/config/settings';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { load } from 'js-yaml';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { installTool } from '../../tools/services/go-programs.ts';
import { installOnce } from '../../tools/services/install-once.ts';
import { runProgram } from '../../tools/services/run-program.ts';
import {
  CHART,
  INSTALL_MS,
  renderChart,
  renderNotes,
  settingsText,
  startCluster,
  type Resource,
} from './render-chart.ts';

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');

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

const gracePeriod = z.object({
  spec: z.object({
    template: z.object({ spec: z.object({ terminationGracePeriodSeconds: z.int() }) }),
  }),
});
const cronJob = z.object({
  spec: z.looseObject({
    concurrencyPolicy: z.string(),
    jobTemplate: z.object({
      spec: z.looseObject({
        template: z.object({
          metadata: z.looseObject({ labels: z.record(z.string(), z.string()) }),
          spec: z.looseObject({ containers: z.array(z.unknown()) }),
        }),
      }),
    }),
  }),
});
const SCHEDULED = [
  'admin.backupClaimName=backups',
  'scheduled.backup.enabled=true',
  'scheduled.verify.enabled=true',
];
const podMonitor = z.object({
  spec: z.object({ podMetricsEndpoints: z.array(z.looseObject({})) }),
});

function find(resources: readonly Resource[], name: string, kind: string): Resource | undefined {
  return resources.find((one) => one.kind === kind && one.metadata.name === name);
}

function fromFile(name: string | undefined): string[] {
  return name === undefined ? [] : [`--values=${join(import.meta.dirname, 'values', name)}`];
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
    { kind: 'StatefulSet', values: ['admin.backupClaimName=backups'], file: 'tls.yaml' },
    // The documented way to stop the registry for a restore.
    { kind: 'StatefulSet', values: ['replicas=0', ...SCHEDULED] },
  ])(
    'renders resources that Kubernetes accepts, with $values $file',
    async ({ kind, values, file }) => {
      const { text, resources } = await renderChart(...values, ...fromFile(file));
      expect(find(resources, 'x-catalog', kind)).toBeDefined();
      await validate(text);
    },
  );

  test('keeps clones in a claim per process by default', async () => {
    const kept = find((await renderChart()).resources, 'x-catalog', 'StatefulSet')?.spec;
    expect(kept).toHaveProperty('volumeClaimTemplates');
    expect(kept?.template?.spec.volumes.map(({ name }) => name)).not.toContain('state');
    const { resources } = await renderChart('cache.persistent=false');
    const lost = find(resources, 'x-catalog', 'Deployment')?.spec;
    expect(lost).not.toHaveProperty('volumeClaimTemplates');
    expect(lost?.template?.spec.volumes).toContainEqual({
      name: 'state',
      emptyDir: { sizeLimit: '10Gi' },
    });
  });

  test('mounts the files of settings in every pod', async () => {
    const { resources } = await renderChart(...fromFile('files.yaml'));
    const pods = resources.flatMap(({ spec }) => spec?.template?.spec ?? []);
    expect(pods).toHaveLength(3);
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
    const { text } = await renderChart('autoscaling.enabled=true');
    expect(text).not.toContain('replicas: 3');
    expect(text).toMatch(/scaleTargetRef:\n\s+apiVersion: apps\/v1\n\s+kind: StatefulSet/);
  });

  test.each([
    { kind: 'StatefulSet', values: [] },
    { kind: 'Deployment', values: ['cache.persistent=false'] },
  ])(
    'keeps the number of processes of a $kind when the autoscaler takes over',
    async ({ kind, values }) => {
      const cluster = await startCluster(kind, 'x-catalog', { replicas: 5 });
      const processes = async (...more: string[]): Promise<unknown> => {
        const { resources } = await renderChart(...values, ...cluster, ...more);
        return find(resources, 'x-catalog', kind)?.spec?.['replicas'];
      };
      expect(await processes('autoscaling.enabled=true')).toBe(5);
      expect(await processes()).toBe(3);
    },
  );

  test('keeps the clones of a process that an autoscaler or an operator stops', async () => {
    const { resources } = await renderChart();
    expect(find(resources, 'x-catalog', 'StatefulSet')?.spec).toMatchObject({
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
    });
  });

  test("has a pod for catalog admin that starts on request, with the owner's database connection", async () => {
    const { resources } = await renderChart();
    const spec = find(resources, 'x-catalog-admin', 'Deployment')?.spec;
    expect(spec).toMatchObject({ replicas: 0 });
    const pod = spec?.template?.spec;
    expect(pod).toMatchObject({ serviceAccountName: 'x-catalog' });
    const [container] = pod?.containers ?? [];
    // The Secret of the owner is last, so its keys take precedence.
    expect(container?.envFrom.map(({ secretRef }) => secretRef.name)).toEqual([
      'catalog',
      'catalog-migration',
    ]);
    expect(container?.env).toEqual([
      { name: 'CATALOG_CONFIG_FILE', value: '/etc/catalog/registry.yaml' },
    ]);
    const paths = container?.volumeMounts.map(({ mountPath }) => mountPath);
    expect(paths).toEqual(['/etc/catalog', '/var/lib/catalog', '/tmp', '/backup']);
    const volume = (name: string) => pod?.volumes.find((one) => one.name === name);
    expect(volume('settings')).toMatchObject({ configMap: { name: 'x-catalog' } });
    expect(volume('backup')).toEqual({ name: 'backup', emptyDir: {} });
    const { resources: claimed } = await renderChart('admin.backupClaimName=backups');
    expect(
      find(claimed, 'x-catalog-admin', 'Deployment')?.spec?.template?.spec.volumes,
    ).toContainEqual({ name: 'backup', persistentVolumeClaim: { claimName: 'backups' } });
    const { resources: without } = await renderChart('admin.enabled=false');
    expect(find(without, 'x-catalog-admin', 'Deployment')).toBeUndefined();
  });

  test('backs up and verifies on a schedule, in pods like the one for catalog admin', async () => {
    expect((await renderChart()).text).not.toContain('CronJob');
    const { resources } = await renderChart(...SCHEDULED, 'scheduled.backup.keep=3');
    const admin = find(resources, 'x-catalog-admin', 'Deployment')?.spec?.template?.spec;
    expect(admin?.volumes).toHaveLength(4);
    for (const [name, words] of [
      ['backup', ['admin', 'backup', '/backup', '--keep', '3']],
      ['verify', ['admin', 'verify', '--fast']],
    ] as const) {
      const { spec } = cronJob.parse(find(resources, `x-catalog-${name}`, 'CronJob'));
      expect(spec.concurrencyPolicy).toBe('Forbid');
      const { metadata, spec: pod } = spec.jobTemplate.spec.template;
      expect(pod).toMatchObject({ ...admin, restartPolicy: 'Never' });
      expect(pod.containers).toMatchObject([{ name, args: words }]);
      // `kubectl exec deployment/x-catalog-admin` must not select this pod.
      expect(metadata.labels['app.kubernetes.io/name']).toBe(`catalog-${name}`);
    }
    await expect(renderChart('scheduled.backup.enabled=true')).rejects.toThrow(
      'scheduled.backup needs admin.backupClaimName',
    );
  });

  test('sends requests only to the pods of the registry', async () => {
    const { resources } = await renderChart();
    const admin = find(resources, 'x-catalog-admin', 'Deployment')?.spec?.template?.metadata.labels;
    const selectors = resources.flatMap(({ kind, spec }) =>
      kind === 'Service' || kind === 'PodDisruptionBudget' ? [spec?.['selector']] : [],
    );
    expect(selectors).toHaveLength(3);
    for (const selector of selectors) {
      expect(JSON.stringify(selector)).toContain('"app.kubernetes.io/name":"catalog"');
    }
    expect(admin).toMatchObject({ 'app.kubernetes.io/name': 'catalog-admin' });
  });

  test('ends with notes about catalog admin and about the remaining steps of an upgrade', async () => {
    const exec = 'kubectl -n default exec deployment/x-catalog-admin -- catalog admin';
    const installed = await renderNotes();
    expect(installed).toContain(`${exec} verify\n`);
    expect(installed).toContain('deployment/x-catalog-admin --replicas=1\n');
    // A database created by this release already has the restricted schema.
    expect(installed).not.toContain('--contract');
    const upgraded = await renderNotes('--is-upgrade');
    expect(upgraded).toContain('rollout status statefulset/x-catalog\n');
    expect(upgraded).toContain(`${exec} migrate --contract\n`);
    expect(await renderNotes('--is-upgrade', 'admin.enabled=false')).not.toContain(
      'x-catalog-admin',
    );
  });

  test('warns in its notes if callers are not authenticated', async () => {
    const warning =
      'Callers are not authenticated: any client that can reach the registry can read';
    expect(await renderNotes()).not.toContain(warning);
    expect(await renderNotes('allowPublicBind=true')).toContain(`${warning} everything.`);
    const open = await renderNotes('allowPublicBind=true', 'openWrites=allow');
    expect(open).toContain(`${warning} and change everything.`);
    const provider = 'settings.identity_provider.type=oidc-jwt';
    expect(await renderNotes('allowPublicBind=true', provider)).not.toContain(warning);
  });

  test('probes and scrapes with TLS if the processes serve TLS', async () => {
    const values = ['podMonitor.enabled=true', ...fromFile('tls.yaml')];
    const { text, resources } = await renderChart(...values);
    expect(text.match(/httpGet: .* port: http, scheme: HTTPS /g)).toHaveLength(3);
    expect(text).not.toContain('scheme: HTTP ');
    expect(find(resources, 'x-catalog', 'PodMonitor')?.spec).toMatchObject({
      podMetricsEndpoints: [{ scheme: 'https', tlsConfig: { insecureSkipVerify: true } }],
    });
    expect(await renderNotes(...values)).toContain('--registry https://127.0.0.1:8080');
  });

  test('probes and scrapes without TLS otherwise', async () => {
    const { text, resources } = await renderChart('podMonitor.enabled=true');
    expect(text.match(/httpGet: .* port: http, scheme: HTTP /g)).toHaveLength(3);
    const [endpoint] = podMonitor.parse(find(resources, 'x-catalog', 'PodMonitor')).spec
      .podMetricsEndpoints;
    expect(endpoint).toMatchObject({ scheme: 'http' });
    expect(endpoint).not.toHaveProperty('tlsConfig');
  });

  test('schedules every pod on the nodes that the values select', async () => {
    const { resources } = await renderChart('nodeSelector.pool=apps', 'tolerations[0].key=apps');
    const pods = resources.flatMap(({ spec }) => spec?.template?.spec ?? []);
    expect(pods).toHaveLength(3);
    for (const pod of pods) {
      expect(pod).toMatchObject({ nodeSelector: { pool: 'apps' }, tolerations: [{ key: 'apps' }] });
    }
  });

  test('disables the environment variables of Services, which could look like settings', async () => {
    const { resources, text } = await renderChart(...SCHEDULED);
    const pods = resources.flatMap(({ spec }) => spec?.template?.spec ?? []);
    expect(pods).toHaveLength(3);
    for (const pod of pods) expect(pod).toMatchObject({ enableServiceLinks: false });
    expect(text.match(/enableServiceLinks: false/g)).toHaveLength(5);
  });

  test('keeps probing a registry that waits for its database', async () => {
    const secondsWith = async (...values: string[]): Promise<number> => {
      const { resources } = await renderChart(...values);
      const pod = find(resources, 'x-catalog', 'StatefulSet')?.spec?.template?.spec;
      const { failureThreshold = 0, periodSeconds = 0 } = pod?.containers[0]?.startupProbe ?? {};
      return failureThreshold * periodSeconds;
    };
    expect(await secondsWith()).toBeGreaterThan(SETTINGS.startup_timeout.default);
    expect(await secondsWith('startupSeconds=400')).toBe(400);
  });

  test('restricts outgoing connections on request, and always allows DNS', async () => {
    expect((await renderChart()).text).toContain('policyTypes: [Ingress]');
    const { text } = await renderChart(...fromFile('egress.yaml'));
    expect(text).toContain('policyTypes: [Ingress, Egress]');
    expect(text).toContain('port: 53');
    expect(text).toContain('port: 5432');
  });

  test('serves metrics on a separate port, and probes on the public one', async () => {
    const { text, resources } = await renderChart('podMonitor.enabled=true');
    expect(load(settingsText(resources))).toMatchObject({
      registry: { management_bind: '0.0.0.0:9090' },
    });
    expect(text).toMatch(/name: management\n\s+containerPort: 9090/);
    expect(text).toMatch(/podMetricsEndpoints:\n\s+- port: management\n/);
    expect(text.match(/httpGet: .* port: http, /g)).toHaveLength(3);
    const services = resources.filter(({ kind }) => kind === 'Service');
    expect(JSON.stringify(services)).not.toContain('management');
  });

  test('lets the peers of the registry scrape metrics by default', async () => {
    const peers = /- from:\n(?<peers>(?:\s+.*\n)+?)\s+ports:\n\s+- port: (?<port>\w+)/g;
    const peersOf = async (...values: string[]): Promise<Record<string, string>> => {
      const { text } = await renderChart(...values);
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
    const { text } = await renderChart();
    expect(text).toContain('topologyKey: kubernetes.io/hostname');
    expect(text).toContain('topologyKey: topology.kubernetes.io/zone');
    const { text: other } = await renderChart('topologySpreadConstraints=null');
    expect(other).not.toContain('topologySpreadConstraints');
  });

  test('detects an invalid chart', async () => {
    const { text } = await renderChart();
    await expect(validate(text.replace('replicas: 3', 'replicaz: 3'))).rejects.toMatchObject({
      stdout: expect.stringContaining('replicaz'),
    });
  });

  test('restarts its pods when their configuration changes', async () => {
    const sums = await Promise.all(
      [['allowPublicBind=false'], ['allowPublicBind=true'], ['settings.dev=true']].map(
        async (values) =>
          /checksum\/settings: (\w+)/.exec((await renderChart(...values)).text)?.[1],
      ),
    );
    expect(new Set(sums).size).toBe(3);
  });

  test.each([
    ['replica=3', "at ''"],
    ['resources.request.cpu=1', "at '/resources'"],
    ['admin.resources.request.cpu=1', "at '/admin/resources'"],
    ['podDisruptionBudget.maxUnavailble=1', "at '/podDisruptionBudget'"],
    ['imagePullSecrets[0]=regcred', "at '/imagePullSecrets/0'"],
    ['ingress.tls[0]=catalog-tls', "at '/ingress/tls/0'"],
    ['networkPolicy.from[0]=monitoring', "at '/networkPolicy/from/0'"],
    ['networkPolicy.managementFrom[0]=monitoring', "at '/networkPolicy/managementFrom/0'"],
    ['tolerations[0]=apps', "at '/tolerations/0'"],
    ['extraEnv[0].nam=HTTPS_PROXY', "at '/extraEnv/0'"],
    ['extraVolumes[0].secret.secretName=files', "at '/extraVolumes/0'"],
    ['extraVolumeMounts[0].name=files', "at '/extraVolumeMounts/0'"],
    ['topologySpreadConstraints[0].topologyKeyy=x', "at '/topologySpreadConstraints/0'"],
  ])('rejects the unknown value %s', async (value, place) => {
    await expect(renderChart(value)).rejects.toThrow(place);
  });

  test.each([
    ['settings.bind=127.0.0.1:8080', 'settings.bind must be'],
    ['settings.bind=:8081', 'settings.bind must be'],
    ['settings.management_bind=0.0.0.0:9091', 'settings.management_bind must be'],
    ['settings.management_bind=null', 'settings.management_bind must be'],
    ['settings.allow_public_bind=true,allowPublicBind=true', 'settings.allow_public_bind'],
    ['settings.open_writes=allow,allowPublicBind=true', 'settings.open_writes'],
  ])('rejects %s, with which no pod would become ready', async (values, reason) => {
    await expect(renderChart(values)).rejects.toThrow(reason);
  });

  test.each([
    ['', { maxUnavailable: 1 }],
    ['podDisruptionBudget.maxUnavailable=50%', { maxUnavailable: '50%' }],
    // Kubernetes accepts only one of the two.
    ['podDisruptionBudget.minAvailable=2', { minAvailable: 2 }],
    ['podDisruptionBudget.minAvailable=0', { minAvailable: 0 }],
  ])('limits disruptions with "%s"', async (value, limit) => {
    const { resources, text } = await renderChart(...(value === '' ? [] : [value]));
    const { selector: _, ...spec } =
      find(resources, 'x-catalog', 'PodDisruptionBudget')?.spec ?? {};
    expect(spec).toEqual(limit);
    await validate(text);
  });

  test('works without a disruption budget and without TLS', async () => {
    const { resources } = await renderChart('podDisruptionBudget=null', 'settings.tls=null');
    expect(find(resources, 'x-catalog', 'PodDisruptionBudget')).toBeUndefined();
    expect(find(resources, 'x-catalog', 'StatefulSet')).toBeDefined();
  });

  test('passes valid settings to the registry, and allows a public bind only if requested', async () => {
    const secrets = {
      CATALOG_POSTGRES_DSN: 'postgres://c:c@db/c',
      CATALOG_S3_BUCKET: 'catalog',
      CATALOG_S3_REGION: 'us-east-1',
    };
    expect(() => readSettings(closed, secrets)).toThrow(/Cannot bind to/);
    const { resources } = await renderChart('allowPublicBind=true');
    const { settings } = readSettings(resources, secrets);
    expect(settings).toMatchObject({ 'store.type': 'postgres', 'object_store.type': 's3' });
    // Kubernetes kills a pod after its grace period.
    const [registry] = z
      .array(gracePeriod)
      .parse(resources.filter(({ kind }) => kind === 'StatefulSet'));
    const { shutdown_delay, shutdown_timeout } = settings;
    expect(shutdown_delay).toBeGreaterThan(0);
    expect(registry?.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(
      shutdown_delay + shutdown_timeout,
    );
    // Unauthenticated callers cannot write unless the operator allows it (SPEC-76).
    expect(settings.open_writes).toBe('deny');
    const allowed = await renderChart('allowPublicBind=true', 'openWrites=allow');
    expect(readSettings(allowed.resources, secrets).settings.open_writes).toBe('allow');
    await expect(renderChart('openWrites=maybe')).rejects.toThrow('openWrites');
  });

  let closed: Resource[] = [];
  beforeAll(async () => void (closed = (await renderChart()).resources));
});

function readSettings(resources: readonly Resource[], env: Record<string, string>) {
  const text = settingsText(resources);
  expect(load(text)).toHaveProperty('registry');
  const folder = temporaryFolder();
  const config = join(folder, 'registry.yaml');
  writeFileSync(config, text);
  return loadSettings({ cwd: folder, home: folder, env, flags: {}, config });
}

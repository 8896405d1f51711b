import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '@catalog/server/config/settings';
import { load } from 'js-yaml';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { settingsSchema } from '../../tools/docs/chart-schema.ts';
import { installTool } from '../../tools/services/go-programs.ts';
import { CHART, INSTALL_MS, renderChart, renderRelease, type Resource } from './render-chart.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');

const rules = z.object({
  groups: z.array(
    z.object({ name: z.string(), rules: z.array(z.looseObject({ alert: z.string() })) }),
  ),
});

/** Matches every pod of the chart, including those of CronJobs. */
const podSpecs = /^(?<indent> +)containers:$/gm;

beforeAll(async () => {
  await installTool('helm');
}, INSTALL_MS);

function find(resources: readonly Resource[], kind: string, name = 'x-catalog'): Resource {
  const found = resources.find((one) => one.kind === kind && one.metadata.name === name);
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  return found;
}

describe('the Helm chart', () => {
  test('creates the alerts on request, and the alerts about scheduled jobs only if the chart schedules them', async () => {
    expect((await renderChart()).text).not.toContain('PrometheusRule');
    const file = rules.parse(load(readFileSync(join(DEPLOY, 'prometheus/alerts.yaml'), 'utf8')));
    const render = async (...values: string[]): Promise<z.infer<typeof rules>> => {
      const { resources } = await renderChart('prometheusRule.enabled=true', ...values);
      return rules.parse(find(resources, 'PrometheusRule').spec);
    };
    const scheduled = [
      'admin.backupClaimName=backups',
      'scheduled.backup.enabled=true',
      'scheduled.verify.enabled=true',
    ];
    expect(await render(...scheduled)).toEqual(file);
    const all = file.groups.flatMap((group) => group.rules.map(({ alert }) => alert));
    const [group] = (await render()).groups;
    const conditional = ['CatalogBackupOld', 'CatalogVerificationOld'];
    expect(group?.rules.map(({ alert }) => alert)).toEqual(
      all.filter((alert) => !conditional.includes(alert)),
    );
    const { text } = await renderChart(
      'prometheusRule.enabled=true',
      'prometheusRule.labels.release=p',
    );
    expect(text).toContain('release: p');
  });

  test('creates the dashboard on request, with the label that Grafana selects', async () => {
    expect((await renderChart()).text).not.toContain('-dashboard');
    const { resources, text } = await renderChart('grafanaDashboard.enabled=true');
    const { data } = find(resources, 'ConfigMap', 'x-catalog-dashboard');
    const dashboard = readFileSync(join(DEPLOY, 'grafana/catalog.json'), 'utf8');
    expect(JSON.parse(data?.['catalog.json'] ?? '')).toEqual(JSON.parse(dashboard));
    expect(text).toContain('grafana_dashboard: "1"');
  });

  test('uses an existing ServiceAccount in every pod', async () => {
    const existing = ['serviceAccount.create=false', 'serviceAccount.name=workload'];
    const { text, resources } = await renderChart(...existing);
    expect(resources.map(({ kind }) => kind)).not.toContain('ServiceAccount');
    expect(text.match(/serviceAccountName: .*/g)).toEqual(
      Array.from({ length: 2 }, () => 'serviceAccountName: workload'),
    );
    await expect(renderChart('serviceAccount.create=false')).rejects.toThrow('serviceAccount.name');
  });

  test('gives every pod a priority class, and the pods of the registry their labels', async () => {
    const { text, resources } = await renderChart(
      'priorityClassName=important',
      'podLabels.team=platform',
      'admin.backupClaimName=backups',
      'scheduled.backup.enabled=true',
    );
    const pods = text.match(podSpecs) ?? [];
    expect(pods.length).toBe(4);
    expect(text.match(/priorityClassName: important/g)).toHaveLength(pods.length);
    const { spec } = find(resources, 'StatefulSet');
    expect(spec?.template?.metadata.labels).toMatchObject({ team: 'platform' });
    expect(JSON.stringify(spec?.['selector'])).not.toContain('team');
    await expect(renderChart('podLabels.app\\.kubernetes\\.io/name=other')).rejects.toThrow(
      'podLabels[app.kubernetes.io/name]',
    );
  });

  test.each([
    ['x', ['nameOverride=skills'], 'x-skills'],
    ['skills', ['nameOverride=skills'], 'skills'],
    ['x', ['fullnameOverride=registry'], 'registry'],
    ['x', ['fullnameOverride=registry', 'nameOverride=skills'], 'registry'],
  ])('uses %s as the prefix of resource names with %s %s', async (release, values, name) => {
    const { resources } = await renderRelease(release, ...values);
    const names = resources.map(({ metadata }) => metadata.name);
    expect(names.filter((one) => one !== name && !one.startsWith(`${name}-`))).toEqual([]);
    // The alerts and the PodMonitor select the pods by the name of the chart.
    expect(find(resources, 'StatefulSet', name).spec?.template?.metadata.labels).toMatchObject({
      'app.kubernetes.io/name': 'catalog',
    });
  });

  test('gives /healthz a timeout', async () => {
    const timeout = async (...values: string[]): Promise<string | undefined> =>
      /livenessProbe:\n(?:.*\n){2} +timeoutSeconds: (\d+)/.exec(
        (await renderChart(...values)).text,
      )?.[1];
    expect(await timeout()).toBe('5');
    expect(await timeout('livenessTimeoutSeconds=9')).toBe('9');
  });

  test('accepts exactly the settings of the registry', async () => {
    const schema = z
      .object({ properties: z.object({ settings: z.unknown() }) })
      .parse(JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')));
    expect(schema.properties.settings).toEqual(settingsSchema());
    const sections = Object.keys(SETTINGS).map((key) => key.split('.').slice(0, -1).join('.'));
    for (const section of new Set(sections)) {
      const place = section === '' ? 'settings' : `settings.${section}`;
      await expect(renderChart(`${place}.unknown_key=1`), place).rejects.toThrow(
        "additional properties 'unknown_key' not allowed",
      );
    }
  });

  test.each([
    ['settings.store.type=sqlite', "at '/replicas'"],
    ['settings.store=null', "at '/replicas'"],
    ['settings.store.type=sqlite,replicas=1,autoscaling.enabled=true', "at '/autoscaling/enabled'"],
  ])('rejects %s, because a SQLite file has one process', async (values, place) => {
    await expect(renderChart(values)).rejects.toThrow(place);
  });

  test('accepts SQLite with one process', async () => {
    const values = ['settings.store.type=sqlite', 'replicas=1', 'migration.enabled=false'];
    expect((await renderChart(...values)).text).toContain('type: sqlite');
  });
});

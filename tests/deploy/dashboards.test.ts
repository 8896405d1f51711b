import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { METRICS } from '@catalog/server/observe/metric-table';
import { startRegistry } from '@catalog/testkit/registry-server';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

const DEPLOY = join(import.meta.dirname, '../../deploy');

const rule = z.object({
  alert: z.string(),
  expr: z.string(),
  annotations: z.object({ description: z.string() }),
});
const alertFile = z.object({ groups: z.array(z.object({ rules: z.array(rule) })) });
const panel = z.object({
  title: z.string(),
  targets: z.array(z.object({ expr: z.string() })),
});
const dashboard = z.object({ panels: z.array(panel) });

/** Prometheus creates this metric for every scrape target. */
const FROM_PROMETHEUS = new Set(['up']);

/** Returns the metrics in an expression: names before labels or a range, or alone in parentheses. */
function metricsIn(expression: string): string[] {
  const plain = expression.replaceAll(/"[^"]*"/g, '""').replaceAll(/\bby \([^)]*\)/g, '');
  const words = [...plain.matchAll(/[a-z_]\w+(?=\s*(?:[{[)]|==|>|$))/g)].map(([word]) => word);
  return words.filter((word) => word.includes('_') || FROM_PROMETHEUS.has(word));
}

/** Returns the names of series: a histogram has buckets, a sum and a count. */
function namesIn(text: string): Set<string> {
  const names = new Set(FROM_PROMETHEUS);
  for (const [, name = '', kind] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    names.add(name);
    if (kind === 'histogram') {
      for (const part of ['bucket', 'sum', 'count']) names.add(`${name}_${part}`);
    }
  }
  return names;
}

function readAlerts(): z.infer<typeof rule>[] {
  const text = readFileSync(join(DEPLOY, 'prometheus/alerts.yaml'), 'utf8');
  return alertFile.parse(load(text)).groups.flatMap(({ rules }) => rules);
}

function readPanels(): z.infer<typeof panel>[] {
  const text = readFileSync(join(DEPLOY, 'grafana/catalog.json'), 'utf8');
  return dashboard.parse(JSON.parse(text)).panels;
}

describe('alerts and dashboards', () => {
  test('use only metrics that a registry exports', async () => {
    const server = await startRegistry();
    const exported = namesIn((await server.request('/metrics')).raw.toString());
    const expressions = [
      ...readAlerts().map(({ expr }) => expr),
      ...readPanels().flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    for (const expression of expressions) {
      const metrics = metricsIn(expression);
      expect(metrics, expression).not.toEqual([]);
      for (const metric of metrics) expect(exported, expression).toContain(metric);
    }
  });

  test('read only the metrics of the job', () => {
    const expressions = [
      ...readAlerts().map(({ expr }) => expr),
      ...readPanels().flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    for (const expression of expressions) {
      for (const metric of metricsIn(expression)) {
        expect(expression).toMatch(new RegExp(`${metric}\\{[^}]*job="catalog"`));
        expect(expression).not.toMatch(new RegExp(`${metric}(?!\\{[^}]*job="catalog"|_)\\b`));
      }
    }
  });

  test('select and group by labels that the metrics have', () => {
    const rows: readonly { name: string; labelNames: readonly string[] }[] = Object.values(METRICS);
    const expressions = [
      ...readAlerts().map(({ expr }) => expr),
      ...readPanels().flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    for (const expression of expressions) {
      const known = new Set(['job', 'instance', 'le']);
      for (const metric of metricsIn(expression)) {
        const row = rows.find(({ name }) =>
          new RegExp(`^${name}(_bucket|_sum|_count)?$`).test(metric),
        );
        for (const label of row?.labelNames ?? []) known.add(label);
      }
      const used = [
        ...[...expression.matchAll(/(\w+)=~?"/g)].map(([, label]) => label ?? ''),
        ...[...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) =>
          list.split(', '),
        ),
      ];
      expect([...known], expression).toEqual(expect.arrayContaining(used));
    }
  });

  test('find a metric in every form of an expression', () => {
    expect(
      metricsIn('sum by (le) (rate(a_total{status="x"}[5m])) / sum(rate(b_total[5m])) > 0.01'),
    ).toEqual(['a_total', 'b_total']);
    expect(metricsIn('max(catalog_x) == 1')).toEqual(['catalog_x']);
    expect(metricsIn('max by (instance) (y_seconds) > 0')).toEqual(['y_seconds']);
    expect(metricsIn('process_z')).toEqual(['process_z']);
  });

  test('have an entry in the runbook', () => {
    const runbook = readFileSync(join(DEPLOY, '../docs/operations/runbook.md'), 'utf8');
    for (const { alert } of readAlerts())
      expect(runbook).toMatch(new RegExp(`^\\| ${alert} +\\| `, 'm'));
  });

  test('link only to existing pages of the documentation', () => {
    for (const { annotations } of readAlerts()) {
      for (const [page] of annotations.description.matchAll(/docs\/[\w/-]+\.md/g)) {
        expect(() => readFileSync(join(DEPLOY, '..', page)), page).not.toThrow();
      }
    }
  });
});

import { cpSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { load, loadAll } from 'js-yaml';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { freePort, listenOn } from '../../tools/services/free-port.ts';
import { installTool } from '../../tools/services/go-programs.ts';
import { runProgram } from '../../tools/services/run-program.ts';

export const CHART = join(import.meta.dirname, '../../deploy/helm/catalog');

/** The first run builds helm from source. */
export const INSTALL_MS = 600_000;

const pod = z.looseObject({
  containers: z.array(
    z.object({
      startupProbe: z.object({ failureThreshold: z.int(), periodSeconds: z.int() }).optional(),
      envFrom: z.array(z.object({ secretRef: z.object({ name: z.string() }) })),
      env: z.array(z.looseObject({ name: z.string(), value: z.string().optional() })).optional(),
      volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
    }),
  ),
  volumes: z.array(z.looseObject({ name: z.string() })),
});
const resource = z.object({
  kind: z.string(),
  metadata: z.object({ name: z.string() }),
  data: z.record(z.string(), z.string()).optional(),
  spec: z
    .looseObject({
      template: z
        .object({
          metadata: z.object({ labels: z.record(z.string(), z.string()) }),
          spec: pod,
        })
        .optional(),
    })
    .optional(),
});
export type Resource = z.infer<typeof resource>;

export interface RenderedChart {
  text: string;
  resources: Resource[];
}

/** Renders the chart with values, or with flags that start with two hyphens. */
export function renderChart(...values: string[]): Promise<RenderedChart> {
  return renderRelease('x', ...values);
}

export async function renderRelease(name: string, ...values: string[]): Promise<RenderedChart> {
  const text = await runHelm(name, CHART, values);
  return { text, resources: z.array(resource).parse(loadAll(text)) };
}

/** Returns the notes that Helm prints after an installation or, with `--is-upgrade`, an upgrade. */
export async function renderNotes(...values: string[]): Promise<string> {
  const chart = join(temporaryFolder(), 'catalog');
  cpSync(CHART, chart, { recursive: true });
  const template = '{{ include (print .Template.BasePath "/NOTES.txt") . | quote }}\n';
  writeFileSync(join(chart, 'templates/notes.yaml'), `notes: ${template}`);
  const text = await runHelm('x', chart, [...values, '--show-only=templates/notes.yaml']);
  return z.object({ notes: z.string() }).parse(load(text)).notes;
}

async function runHelm(release: string, chart: string, values: readonly string[]): Promise<string> {
  const set = values.flatMap((value) => (value.startsWith('--') ? [value] : ['--set', value]));
  const words = ['template', release, chart, '--kube-version', '1.31.0', ...set];
  return runProgram(await installTool('helm'), words, { env: { KUBECONFIG: '/dev/null' } });
}

export function settingsText(resources: readonly Resource[]): string {
  return resources.find(({ kind }) => kind === 'ConfigMap')?.data?.['registry.yaml'] ?? '';
}

/** Returns the flags that make Helm use a cluster with one resource of the group `apps`. */
export async function startCluster(kind: string, name: string, spec: object): Promise<string[]> {
  const plural = `${kind.toLowerCase()}s`;
  const documents: Readonly<Record<string, object>> = {
    '/apis/apps/v1': {
      kind: 'APIResourceList',
      groupVersion: 'apps/v1',
      resources: [{ name: plural, kind, namespaced: true, verbs: ['get'] }],
    },
    [`/apis/apps/v1/namespaces/default/${plural}/${name}`]: {
      apiVersion: 'apps/v1',
      kind,
      metadata: { name, namespace: 'default' },
      spec,
    },
  };
  const missing = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound' };
  const server = createServer(({ url = '' }, response) => {
    const found = documents[new URL(url, 'http://cluster').pathname];
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? { ...missing, code: 404 }));
  });
  const port = await freePort();
  await listenOn(server, port);
  onTestFinished(() => void server.close());
  return ['--dry-run=server', `--kube-apiserver=http://127.0.0.1:${port}`];
}

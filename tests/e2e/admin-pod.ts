import { join } from 'node:path';
import { renderRelease, settingsText, type Resource } from '../deploy/render-chart.ts';
import type { Reader } from './follow-page.ts';

export interface AdminPodOptions {
  reader: Reader;
  values: string;
  secrets: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A simulated cluster with the chart, limited to the pod for `catalog admin`. */
export interface AdminPod {
  /** Runs only `kubectl exec`; for other commands, it checks that the resources exist. */
  kubectl: (line: string) => Promise<string>;
}

const NAMESPACE = 'kubectl -n catalog ';
const EXEC = `${NAMESPACE}exec deployment/catalog-admin -- `;

export async function openAdminPod({
  reader,
  values,
  secrets,
}: AdminPodOptions): Promise<AdminPod> {
  await reader.follow({ kind: 'file', line: 0, path: 'values.yaml', text: values });
  const { resources } = await renderRelease(
    'catalog',
    `--values=${join(reader.cwd, 'values.yaml')}`,
  );
  const text = settingsText(resources);
  await reader.follow({ kind: 'file', line: 0, path: 'pod/etc/catalog/registry.yaml', text });
  const env = environmentOf(resources, secrets);
  const words = Object.entries(env).map(
    ([name, value]) => `${name}='${value.replace(/^\/etc\//, 'pod/etc/')}'`,
  );
  return {
    async kubectl(line) {
      if (line.startsWith(EXEC)) {
        const command = line.slice(EXEC.length).replace('/backup/', 'pod/backup/');
        const { status, output } = await reader.run(
          `mkdir -p pod/backup; ${words.join(' ')} ${command}`,
        );
        if (status === 0) return output;
        throw new Error(`$ ${line}\n${output}`);
      }
      const [, kind, name] = /(deployment|statefulset)\/([\w-]+)/.exec(line) ?? [];
      if (!line.startsWith(NAMESPACE) || !resources.some(isNamed(kind, name))) {
        throw new Error(`The chart has nothing for: ${line}`);
      }
      return '';
    },
  };
}

/** Returns the variables of the container. Its own ones override those of its Secrets. */
function environmentOf(
  resources: readonly Resource[],
  secrets: AdminPodOptions['secrets'],
): Record<string, string> {
  const pod = resources.find(isNamed('deployment', 'catalog-admin'))?.spec?.template?.spec;
  const [container] = pod?.containers ?? [];
  if (container === undefined) throw new Error('The chart has no pod for catalog admin');
  const env: Record<string, string> = {};
  for (const { secretRef } of container.envFrom) {
    const variables = secrets[secretRef.name];
    if (variables === undefined) throw new Error(`The page creates no Secret ${secretRef.name}`);
    Object.assign(env, variables);
  }
  for (const { name, value = '' } of container.env ?? []) env[name] = value;
  return env;
}

function isNamed(kind: string | undefined, name: string | undefined) {
  return (one: Resource): boolean => one.kind.toLowerCase() === kind && one.metadata.name === name;
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAMS } from './folders.ts';
import { installOnce } from './install-once.ts';
import { runProgram } from './run-program.ts';

/** Go verifies modules with its checksum database. */
const goPrograms = {
  versitygw: { package: 'github.com/versity/versitygw/cmd/versitygw', version: 'v1.8.0' },
  toxiproxy: { package: 'github.com/Shopify/toxiproxy/v2/cmd/server', version: 'v2.5.0' },
  helm: { package: 'helm.sh/helm/v3/cmd/helm', version: 'v3.22.0' },
  weaviate: { package: 'github.com/weaviate/weaviate/cmd/weaviate-server', version: 'v1.35.2' },
} as const;

export type ToolName = keyof typeof goPrograms;

export const goProgramNames: readonly ToolName[] = ['versitygw', 'toxiproxy', 'helm', 'weaviate'];

/** For programs with builds of several minutes, which tests do not wait for. */
export function findTool(name: ToolName): string | undefined {
  const { package: source, version } = goPrograms[name];
  const path = join(PROGRAMS, `${name}-${version}`, programIn(source));
  return existsSync(path) ? path : undefined;
}

export async function installTool(name: ToolName, cache?: string): Promise<string> {
  const { package: source, version } = goPrograms[name];
  const folder = await installOnce({
    key: `${name}-${version}`,
    build: (target) => buildGoProgram(`${source}@${version}`, target),
    ...(cache !== undefined && { cache }),
  });
  return join(folder, programIn(source));
}

function programIn(source: string): string {
  return source.slice(source.lastIndexOf('/') + 1);
}

async function buildGoProgram(source: string, folder: string): Promise<void> {
  await runProgram('go', ['install', source], { env: { CGO_ENABLED: '0', GOBIN: folder } });
}

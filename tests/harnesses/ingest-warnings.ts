import { startRegistry } from '@catalog/testkit/registry-server';

export async function ingestWarnings(
  manifests: Readonly<Record<string, string>>,
): Promise<{ id: string; warning: string }[]> {
  const server = await startRegistry();
  const files = Object.entries(manifests).map(([id, text]) => [`${id}/ARTIFACT.md`, text]);
  const report = await server.ingest(Object.fromEntries(files));
  return report.advisories
    .filter(({ code }) => code === 'lint.harness_capability')
    .map(({ artifact_id, reason }) => ({ id: artifact_id, warning: reason }));
}

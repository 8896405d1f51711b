import { lintArtifacts } from '@catalog/core/lint/lint-artifacts';
import { harnessCapabilities } from '@catalog/harness/registry';
import { artifactOf } from '@catalog/testkit/authored-package';

export function lintWarnings(id: string, manifest: string): string[] {
  const artifact = artifactOf(id, { 'ARTIFACT.md': manifest });
  const context = { known_ids: new Set<string>(), capabilities: harnessCapabilities() };
  return lintArtifacts([artifact], context)
    .filter(({ code, severity }) => code === 'lint.harness_capability' && severity === 'warning')
    .map(({ message }) => message);
}

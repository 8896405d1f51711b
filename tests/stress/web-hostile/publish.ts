import type { IngestReport } from '@catalog/contract/records/ingest';
import type { RegistryServer } from '@catalog/testkit/registry-server';
import { toFiles, type HostileArtifact, type Part } from './hostile-artifact.ts';
import { LAYER } from './place.ts';

const VERSIONS = ['1.0.0', '1.1.0'] as const;

/** Always in the layer, because the registry rejects a layer without any valid artifact. */
const HARMLESS = {
  'harmless/artifact/ARTIFACT.md':
    '---\ntype: rule\nversion: 1.0.0\ndescription: A harmless rule.\n---\nText.\n',
};

/** Rejections of hostile artifacts; any other code is an error of this test. */
const EXPECTED_CODES = /^(lint\.\w+|ingest\.(invalid_artifact|source_unreachable|lint_failed))$/;

type Rejection = IngestReport['rejected'][number];

/**
 * Publishes two versions. Removes the parts that the registry rejects, and returns the artifact with
 * the others.
 */
export async function publish(
  server: RegistryServer,
  artifact: HostileArtifact,
  large: Readonly<Record<string, string>>,
): Promise<HostileArtifact> {
  let published = artifact;
  for (;;) {
    const rejections = await ingest(server, published, VERSIONS[0], large);
    if (rejections.length === 0) break;
    const parts = withoutRejected(published, rejections);
    if (parts.length === published.parts.length) {
      throw new Error(`The registry rejects a harmless artifact: ${JSON.stringify(rejections)}`);
    }
    published = { ...published, parts };
  }
  const [rejection] = await ingest(server, published, VERSIONS[1], large);
  if (rejection !== undefined) throw new Error(`Only 1.0.0 is valid: ${rejection.reason}`);
  return published;
}

async function ingest(
  server: RegistryServer,
  artifact: HostileArtifact,
  version: string,
  large: Readonly<Record<string, string>>,
): Promise<Rejection[]> {
  const files = { ...HARMLESS, ...toFiles(artifact, version), ...large };
  const { lint_failures, rejected, conflicts } = await server.ingest(files, { id: LAYER });
  const rejections = [...lint_failures, ...rejected];
  const unexpected = rejections.find(({ code }) => !EXPECTED_CODES.test(code));
  if (unexpected !== undefined || conflicts.length > 0) {
    throw new Error(`Unexpected ingest result: ${JSON.stringify(unexpected ?? conflicts)}`);
  }
  return rejections.filter(({ artifact_id, file = '' }) => {
    return artifact_id === artifact.id || file.startsWith(`${artifact.id}/`);
  });
}

/** Removes the files and fields in the rejections, or otherwise one kind of part after the other. */
function withoutRejected(
  { id, parts }: HostileArtifact,
  rejections: readonly Rejection[],
): readonly Part[] {
  const kept = parts.filter((part) => {
    if (part.kind === 'file') return !rejections.some(({ file }) => file === `${id}/${part.path}`);
    if (part.kind !== 'field') return true;
    return !rejections.some(({ reason }) => reason.includes(`\`${part.name}`));
  });
  if (kept.length < parts.length) return kept;
  const kinds = ['field', 'block', 'file', 'domain', 'rejected'] as const;
  const kind = kinds.find((kind) => parts.some((part) => part.kind === kind));
  return parts.filter((part) => part.kind !== kind);
}

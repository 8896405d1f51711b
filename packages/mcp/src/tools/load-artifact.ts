import { join } from 'node:path';
import type { Artifact } from '@catalog/core/artifact/types';
import type { Materialized } from '@catalog/consumer/materialize/materialized';
import { describeContent } from '@catalog/consumer/trust/approve-content';
import type { InspectedArtifact } from '@catalog/consumer/trust/inspected-content';
import { capabilitySetHash } from '@catalog/core/capabilities/capability-key';
import type { LoadedArtifact } from '@catalog/consumer/runtime/runtime-registry';
import { text } from '@catalog/contract/endpoints/arguments';
import { loadArtifact } from '@catalog/contract/endpoints/materialization';
import { errorEnvelope } from '@catalog/contract/errors/envelope';
import { artifactRecord } from '@catalog/contract/records/artifact';
import { markedDocument } from '@catalog/harness/place/document-text';
import { isImported } from '@catalog/harness/place/provenance';
import { z } from 'zod';
import { newMark } from '../id.ts';
import { markRecord, untrustedData } from '../untrusted-data.ts';
import { inlineResources, omittedResource } from './inline-resources.ts';
import { inSession } from './in-session.ts';
import { offline } from './offline.ts';
import { defineTool, type ToolContext } from './tool.ts';

const output = artifactRecord
  .pick({
    id: true,
    type: true,
    version: true,
    content_hash: true,
    layer: true,
    sensitivity: true,
    deprecated: true,
    replaced_by: true,
    deprecation_warning: true,
    manifest_body: true,
    skill_body: true,
  })
  .extend({
    materialized_at: z
      .array(z.string())
      .describe('Absolute paths of the files that were written; empty if none were.'),
    kept: z
      .array(z.strictObject({ path: z.string(), kept_at: z.string() }))
      .optional()
      .describe('Files that the user had changed, and where the former versions are now.'),
    use: z.string().optional().describe('How to use the files that were written.'),
    not_materialized: z.string().optional().describe('Why no files were written.'),
    error: errorEnvelope
      .optional()
      .describe('Content the user must approve, and the command for it, if no files were written.'),
    resources: z
      .record(z.string(), z.string())
      .optional()
      .describe('Content of the bundled files, by path, if no files were written.'),
    omitted_resources: z
      .array(omittedResource)
      .optional()
      .describe('Bundled files that are binary or too long to show here.'),
    ...untrustedData,
    ...offline,
  });

export const loadArtifactTool = defineTool({
  name: 'load_artifact',
  title: 'Load an artifact from the catalog',
  description: [
    'Loads one artifact of the catalog by its id, verifies it, and writes its files into the workspace where your harness finds them.',
    'Use it after you have chosen an artifact: it is the expensive step, and the only one that writes. Find ids with search_artifacts or load_domain.',
    'It returns the text to follow (`skill_body` for a skill, otherwise `manifest_body`), the absolute paths of the written files in `materialized_at`, and `use`.',
    'If no files were written, `not_materialized` explains why and `resources` contains the bundled files: work with those.',
    'Hooks, MCP servers, and other executable content are written only after the user approves them; `error` then lists what needs approval and the command the user runs.',
  ].join(' '),
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  },
  input: loadArtifact.query.omit({ as_admin: true }).extend({
    destination: text
      .optional()
      .describe(
        'A folder inside the workspace to write below. Usually left out, because harnesses read the workspace itself.',
      ),
  }),
  output,
  run: async ({ id, version, destination, session_id }, context) => {
    const { registry, materialize, host, signal, onProgress } = context;
    const roots = await host.roots();
    const loadInput = {
      id,
      ...(version === '' ? {} : { version }),
      ...inSession(session_id),
      onProgress,
    };
    const loaded = await registry.loadArtifact(loadInput, signal);
    const confirmContent = confirmBy(context);
    const request = { loaded, version, destination, roots, confirmContent, onProgress };
    const written = await materialize(request, signal);
    return toRecord(loaded, written);
  },
});

/**
 * Returns the approval of executable content by the user of the host. It shows facts only, never descriptions. The key
 * contains the capabilities, so that an approval covers exactly these.
 */
function confirmBy({ host }: ToolContext): (artifact: InspectedArtifact) => boolean {
  return (artifact) => {
    const set = capabilitySetHash(artifact.capabilities.map(({ capability }) => capability));
    const lines = describeContent([artifact]);
    return host.confirm(`write-${set}`, ['Write and approve this?', ...lines]);
  };
}

/**
 * Converts an artifact. All members of an imported artifact are marked as data; of others, only remarks of the registry
 * and imported blocks. The rest are instructions for the model.
 */
function toRecord(loaded: LoadedArtifact, written: Materialized): Record<string, unknown> {
  const { artifact } = loaded;
  // Its own mark, so that the end of a nested mark does not look like the end of both.
  const record = { ...describe(artifact, newMark()), ...describeOutcome(loaded, written) };
  const remarks = describeServed(loaded);
  return isImported(artifact.fields.source)
    ? markRecord({ ...record, ...remarks })
    : { ...record, ...markRecord(remarks) };
}

function describe(artifact: Artifact, mark: string): Record<string, unknown> {
  const { manifest, skill, fields } = artifact;
  const { sensitivity } = fields;
  return {
    id: artifact.id,
    type: artifact.type,
    version: artifact.version,
    content_hash: artifact.content_hash,
    ...(sensitivity === undefined ? {} : { sensitivity }),
    manifest_body: manifest === undefined ? '' : markedDocument(manifest, artifact, mark),
    ...(skill === undefined ? {} : { skill_body: markedDocument(skill, artifact, mark) }),
  };
}

/** Returns remarks of the registry on an artifact. `layer` already shows whether it is from the overlay. */
function describeServed(loaded: LoadedArtifact): object {
  const { artifact: _artifact, overlay: _overlay, ...served } = loaded;
  return served;
}

function describeOutcome(
  { artifact }: LoadedArtifact,
  written: Materialized,
): Record<string, unknown> {
  if (written.kind === 'written') {
    const { root, files, use } = written;
    const kept = written.kept.map(({ path, kept_at }) => ({
      path: join(root, path),
      kept_at: join(root, kept_at),
    }));
    const materialized_at = files.map((path) => join(root, path));
    return { materialized_at, ...(kept.length === 0 ? {} : { kept }), use };
  }
  return {
    materialized_at: [],
    not_materialized: written.reason,
    ...(written.error === undefined ? {} : { error: written.error }),
    ...inlineResources(artifact.resources),
  };
}

import { isSpecific, parsePin } from '@catalog/core/version/pin';
import { toAuditedVersion } from '../audit/audited-version.ts';
import type { CallContext, Registry } from '../registry.ts';
import { resolveLoad } from './load-artifact.ts';
import type { ArtifactRequest } from './resolve-artifact.ts';
import { loadVersion } from './served-artifact.ts';

export interface LoadedMarkdown {
  content_hash: string;
  version: string;
  /** Content of `SKILL.md` for a skill, otherwise of `ARTIFACT.md`. */
  text: string;
  immutable: boolean;
}

export async function loadMarkdown(
  registry: Registry,
  context: CallContext,
  question: ArtifactRequest,
): Promise<LoadedMarkdown> {
  const resolved = await resolveLoad(registry, context, question);
  const record = await loadVersion(registry, context.tenant, resolved);
  const { content_hash, version, manifest, skill } = record;
  const audited = toAuditedVersion(record, resolved.layer.id);
  registry.read_log.noteVersion(context, resolved, audited, 'loads');
  return {
    content_hash,
    version,
    text: skill ?? manifest ?? '',
    immutable: isSpecific(parsePin(question.version)),
  };
}

import { isSpecific, parsePin } from '@catalog/core/version/pin';
import type { CallContext, Registry } from '../registry.ts';
import { resolveLoad } from './load-artifact.ts';
import type { ArtifactQuestion } from './resolve-artifact.ts';
import { loadVersion } from './served-artifact.ts';

/** The text of an artifact, as its author wrote it. */
export interface LoadedMarkdown {
  content_hash: string;
  version: string;
  /** `SKILL.md` of a skill, `ARTIFACT.md` of other types. */
  text: string;
  /** True if the request named an exact version. */
  immutable: boolean;
}

/** Loads the text of an artifact, for callers who may load the artifact. */
export async function loadMarkdown(
  registry: Registry,
  context: CallContext,
  question: ArtifactQuestion,
): Promise<LoadedMarkdown> {
  const resolved = await resolveLoad(registry, context, question);
  const { content_hash, version, manifest, skill } = await loadVersion(
    registry,
    context.tenant,
    resolved,
  );
  return {
    content_hash,
    version,
    text: skill ?? manifest ?? '',
    immutable: isSpecific(parsePin(question.version)),
  };
}

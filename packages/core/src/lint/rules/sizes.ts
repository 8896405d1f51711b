import type { Artifact } from '../../artifact/types.ts';
import { DEFAULT_LIMITS, type LintContext } from '../context.ts';
import { NOTHING, atFile, atOffset, bodyOffset, proseManifest, type Finding } from '../finding.ts';
import { BYTES_PER_TOKEN, estimateTokens } from '../tokens.ts';

const MAX_MANIFEST_TOKENS = 20_000;
const ADVISED_SKILL_TOKENS = 5_000;
const ADVISED_SKILL_LINES = 500;

/** Reports large manifests: the body of a skill, which is loaded into a context, or otherwise the whole file. */
export function manifestSize(artifact: Artifact): readonly Finding[] {
  const manifest = proseManifest(artifact);
  if (manifest === undefined) return NOTHING;
  const isSkill = artifact.type === 'skill';
  const text = isSkill ? manifest.body : manifest.text;
  if (text.length <= ADVISED_SKILL_LINES) return NOTHING;
  const tokens = estimateTokens(text);
  if (tokens > MAX_MANIFEST_TOKENS) {
    const message = `The ${isSkill ? 'body' : 'file'} has about ${tokens} tokens; the limit is ${MAX_MANIFEST_TOKENS}.`;
    return [{ code: 'lint.manifest_size', message, place: atFile(manifest.file) }];
  }
  const message = isSkill ? describeLongSkill(text, tokens) : undefined;
  if (message === undefined) return NOTHING;
  const place = atOffset(manifest, bodyOffset(manifest));
  return [{ code: 'lint.manifest_size', severity: 'warning', message, place }];
}

/** Returns true if the artifact is rejected for its size, so that other checks are unnecessary. */
export function isTooLarge({ body }: Artifact): boolean {
  return body.length > MAX_MANIFEST_TOKENS * BYTES_PER_TOKEN;
}

function describeLongSkill(body: string, tokens: number): string | undefined {
  if (tokens > ADVISED_SKILL_TOKENS) {
    return `The body has about ${tokens} tokens; keep a skill below ${ADVISED_SKILL_TOKENS}.`;
  }
  const lines = countLines(body);
  if (lines <= ADVISED_SKILL_LINES) return undefined;
  return `The body has ${lines} lines; keep a skill below ${ADVISED_SKILL_LINES}.`;
}

export function bundledResourceSize(artifact: Artifact, context: LintContext): readonly Finding[] {
  if (artifact.resources.length === 0) return NOTHING;
  const { file_bytes, package_bytes } = context.limits ?? DEFAULT_LIMITS;
  const found: Finding[] = [];
  let total = 0;
  for (const { path, bytes } of artifact.resources) {
    total += bytes.length;
    if (bytes.length <= file_bytes) continue;
    found.push({
      code: 'lint.bundled_resource_size',
      severity: 'warning',
      message: `The file has ${bytes.length} bytes, and every workspace gets a copy; keep it below ${file_bytes}.`,
      place: atFile(`${artifact.id}/${path}`),
    });
  }
  const manifest = artifact.manifest ?? artifact.skill;
  if (total > package_bytes && manifest !== undefined) {
    found.push({
      code: 'lint.bundled_resource_size',
      message: `The bundled files have ${total} bytes in total; the limit is ${package_bytes}.`,
      place: atFile(manifest.file),
    });
  }
  return found;
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = 0; at < text.length; lines += 1) {
    const end = text.indexOf('\n', at);
    at = end === -1 ? text.length : end + 1;
  }
  return lines;
}

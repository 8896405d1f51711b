import { loadConfig } from '@catalog/consumer/config/load-config';
import { openDiscovery } from '@catalog/consumer/discover/open-discovery';
import { TOP_K_DEFAULT, TOP_K_MAX } from '@catalog/contract/limits';
import type { SearchResponse, SearchResult } from '@catalog/contract/records/discovery';
import type { Artifact } from '@catalog/core/artifact/types';
import { embeddedText } from '@catalog/core/search/embedded-text';
import { lastSegment } from '@catalog/core/text/slash-path';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { alignColumns, styled, type Line } from '../../output/text.ts';
import { toConfigFlags, toConfigInput } from '../config-flags.ts';
import { signInOnFirstUse } from '../identity/first-use.ts';
import { readNumber } from '../read-number.ts';
import { formatShare } from '../search/explain-result.ts';
import type { similarDefinition } from './definition.ts';
import { readDraft, type Draft } from './read-draft.ts';

type Input = CommandInput<typeof similarDefinition>;

/** Minimum similarity of two artifacts that mean the same in different words. */
const NEAR_DUPLICATE = 0.85;
/** Maximum number of characters of a query to a server. */
const MAX_QUERY_LENGTH = 4_096;

export async function run(
  { flags, arguments: { path } }: Input,
  session: Session,
): Promise<CommandResult> {
  const { registry } = flags;
  const config = loadConfig(toConfigInput(session, toConfigFlags({ registry })));
  const top_k = readNumber('--top-k', flags['top-k']) ?? TOP_K_DEFAULT;
  const draft = readDraft(path, config.registry?.value, session);
  const discovery = await openDiscovery(config, { signIn: signInOnFirstUse(config, session) });
  const query = textOf(draft.artifact).slice(0, MAX_QUERY_LENGTH);
  const found = await discovery.searchArtifacts(
    { query, top_k: TOP_K_MAX, explain: true },
    session.signal,
  );
  const report = compare(draft, found, top_k);
  return { lines: toLines(report), json: report };
}

interface SimilarReport {
  id: string;
  similar: SimilarArtifact[];
  /** True if the vector search was unavailable, so that words determine the order. */
  degraded: boolean;
}

interface SimilarArtifact extends Pick<SearchResult, 'id' | 'type' | 'version' | 'description'> {
  /** Similarity; null if the registry cannot compute it. */
  similarity: number | null;
  near_duplicate: boolean;
}

/** Returns the text that the registry embeds, so that an artifact is most similar to itself. */
function textOf({ id, name, description, fields }: Artifact): string {
  const { tags = [], when_to_use = [] } = fields;
  return embeddedText({ id, name, description, tags, when_to_use });
}

function compare(
  draft: Draft,
  { results, degraded }: SearchResponse,
  top_k: number,
): SimilarReport {
  const similar = results
    .filter((result) => !isItself(draft, result))
    .map(({ id, type, version, description, explanation }): SimilarArtifact => {
      const similarity = explanation?.similarity ?? null;
      const near_duplicate = similarity !== null && similarity >= NEAR_DUPLICATE;
      return { id, type, version, description, similarity, near_duplicate };
    })
    .sort((a, b) => (b.similarity ?? 0) - (a.similarity ?? 0))
    .slice(0, top_k);
  return { id: draft.artifact.id, similar, degraded: degraded === true };
}

/** Returns true for the published version of the draft. Without a known id, name and description are compared. */
function isItself({ artifact, placed }: Draft, { id, description }: SearchResult): boolean {
  if (placed) return id === artifact.id;
  return lastSegment(id) === artifact.id && description === artifact.description;
}

function toLines({ id, similar, degraded }: SimilarReport): Line[] {
  if (similar.length === 0) return [`No artifacts are similar to ${id}.`];
  const rows = similar.map(({ near_duplicate, similarity, ...shown }): Line[] => [
    similarity === null ? '?' : formatShare(similarity),
    [styled('bold', shown.id)],
    shown.type,
    [...(near_duplicate ? [styled('yellow', 'near duplicate'), '  '] : []), shown.description],
  ]);
  const [nearest] = similar.filter(({ near_duplicate }) => near_duplicate);
  return [
    ...(degraded ? ['Compared by words only: semantic search is unavailable.', ''] : []),
    ...alignColumns(rows),
    '',
    nearest === undefined
      ? `No near duplicates. To keep ${id} distinct from these, test its trigger queries with \`catalog test\`.`
      : `Next: use ${nearest.id}, extend it, or state the difference in both descriptions.`,
  ];
}

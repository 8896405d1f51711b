import { TOP_K_MAX } from '@catalog/contract/limits';
import type { Artifact } from '@catalog/core/artifact/types';
import type { DecidedCatalog } from '@catalog/core/ingest/types';
import type { LayerSnapshot } from '@catalog/core/layer/types';
import type { TriedArtifact } from '@catalog/core/lint/lint-triggers';
import { judgeTrigger } from '@catalog/core/triggers/judge-trigger';
import { readTriggers, TRIGGERS_FILE } from '@catalog/core/triggers/read-triggers';
import { effectiveView } from '@catalog/core/view/effective-view';
import { searchInMemory } from './search-in-memory.ts';

export interface DecidedFolder {
  /** Layers, lowest precedence first. */
  layers: readonly LayerSnapshot[];
  decided: DecidedCatalog;
}

export interface TriggerRun {
  /** Artifacts with trigger tests, by id. */
  tested: TriedArtifact[];
  artifacts: number;
}

/**
 * Searches a folder for each trigger query. Only tests in the artifact's own folder count, because inherited ones are
 * about its parent.
 */
export async function tryTriggers(
  { layers, decided }: DecidedFolder,
  top_k: number,
  isSelected: (artifact: Artifact) => boolean = () => true,
): Promise<TriggerRun> {
  const names = layers.map(({ layer }) => layer);
  const view = effectiveView(decided.artifacts, names);
  const held = Map.groupBy(decided.artifacts, ({ layer }) => layer);
  const searched = names.map((name) => ({ name, artifacts: held.get(name) ?? [] }));
  const tested: TriedArtifact[] = [];
  for (const artifact of view.filter(isSelected)) {
    const reading = readOwnTriggers(artifact, layers);
    if (reading === undefined) continue;
    const tried: TriedArtifact['tried'][number][] = [];
    for (const { offset, ...trigger } of reading.triggers) {
      const { query } = trigger;
      const { results } = await searchInMemory(searched, { query, top_k: TOP_K_MAX });
      const ranked = results.map(({ id }) => id);
      tried.push({ outcome: judgeTrigger(artifact.id, trigger, ranked, top_k), offset });
    }
    tested.push({ artifact, text: reading.text, tried });
  }
  return { tested, artifacts: view.length };
}

/**
 * Reads the trigger tests of artifacts. All are readable: an artifact with an unreadable file is not part of the view.
 */
function readOwnTriggers(
  { id, layer }: Artifact,
  layers: readonly LayerSnapshot[],
): Extract<ReturnType<typeof readTriggers>, { kind: 'ok' }> | undefined {
  const holder = layers.find((each) => each.layer === layer);
  const authored = holder?.packages.find((each) => each.id === id);
  const file = authored?.resources.find(({ path }) => path === TRIGGERS_FILE);
  if (file === undefined) return undefined;
  const reading = readTriggers(file.bytes);
  return reading.kind === 'ok' ? reading : undefined;
}

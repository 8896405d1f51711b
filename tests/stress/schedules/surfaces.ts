import { batchLoadResponse } from '@catalog/contract/records/artifact';
import {
  catalogResponse,
  domainAnalysis,
  searchResponse,
  syncManifest,
} from '@catalog/contract/records/discovery';
import { sendAndExpect } from '../serve-kill/client.ts';
import type { GenerationLayer, Shown } from './generations.ts';

export interface Hashed {
  id: string;
  version: string;
  content_hash: string;
}

export interface Reading {
  shown: ReadonlyMap<string, readonly Shown[]>;
  hashes: readonly Hashed[];
  /** True if the response lists all artifacts, and not only search results. */
  whole: boolean;
}

export interface Surface {
  name: string;
  read(url: string, scope: string, layers: readonly GenerationLayer[]): Promise<Reading>;
}

export const surfaces: readonly Surface[] = [
  {
    name: 'manifest',
    async read(url, scope, layers) {
      const { artifacts } = await sendAndExpect(`${url}/v1/sync/manifest`, [200, syncManifest]);
      const own = artifacts.filter(({ id }) => id.startsWith(`${scope}/`));
      return { shown: byLayer(layers, own), hashes: own, whole: true };
    },
  },
  {
    name: 'catalog',
    async read(url, scope, layers) {
      const { ids } = await sendAndExpect(`${url}/v1/catalog?scope=${scope}`, [
        200,
        catalogResponse,
      ]);
      const own = ids.map((id) => ({ id }));
      return { shown: byLayer(layers, own), hashes: [], whole: true };
    },
  },
  {
    name: 'search',
    async read(url, scope, layers) {
      const query = `query=change+the+same+thing&scope=${scope}&top_k=50`;
      const { results } = await sendAndExpect(`${url}/v1/search_artifacts?${query}`, [
        200,
        searchResponse,
      ]);
      // The search and the read are separate, so artifacts that were removed in between are missing.
      return { shown: byLayer(layers, results), hashes: [], whole: false };
    },
  },
  {
    name: 'batch load',
    async read(url, _scope, layers) {
      const items = await sendAndExpect(`${url}/v1/artifacts:batchLoad`, [200, batchLoadResponse], {
        method: 'POST',
        json: { ids: layers.flatMap(({ ids }) => ids) },
      });
      const found = items.flatMap((item) => (item.status === 'ok' ? [item] : []));
      return { shown: byLayer(layers, found), hashes: found, whole: true };
    },
  },
];

function byLayer(
  layers: readonly GenerationLayer[],
  artifacts: readonly Shown[],
): Map<string, Shown[]> {
  return new Map(
    layers.map(({ id, ids }) => [id, artifacts.filter((artifact) => ids.includes(artifact.id))]),
  );
}

export async function countBelow(url: string, path: string): Promise<number> {
  const analysis = await sendAndExpect(`${url}/v1/domain/analyze?path=${path}`, [
    200,
    domainAnalysis,
  ]);
  return analysis.recursive_count;
}

import type { DomainReader } from '../../domain/domain-reader.ts';
import { readDomainsInMemory, type MappedArtifact } from '../../domain/in-memory-domains.ts';
import type { Domain, DomainFields } from '../../domain/read-domain.ts';
import type { DomainSearchResult, DomainDescription, DomainQuery } from '../../ports/domains.ts';
import type { Store } from '../../ports/store.ts';
import type { LayerStack } from '../../ports/versions.ts';
import { referenceDescriptions, referenceDomainSearch } from '../../search/reference-domains.ts';
import { newHead } from '../samples.conformance.ts';

export interface HeadTraits {
  version?: string;
  deprecated?: boolean;
  search_visibility?: 'indexed' | 'direct-only';
  tags?: readonly string[];
}

export interface DomainText {
  fields: DomainFields;
  body: string;
}

export interface DomainModel {
  putHeads(layer: number, heads: Readonly<Record<string, HeadTraits>>): Promise<void>;
  removeHeads(layer: number, ids: readonly string[]): Promise<void>;
  putDomains(layer: number, domains: Readonly<Record<string, DomainText>>): Promise<void>;
  removeDomains(layer: number, paths: readonly string[]): Promise<void>;
  reader(layers: LayerStack): DomainReader;
  search(layers: LayerStack, query: DomainQuery): Promise<DomainSearchResult>;
  describe(layers: LayerStack, paths: readonly string[]): Promise<DomainDescription[]>;
  expectedReader(layers: LayerStack): DomainReader;
  expectedSearch(layers: LayerStack, query: DomainQuery): DomainSearchResult;
  expectedDescriptions(layers: LayerStack, paths: readonly string[]): DomainDescription[];
}

interface HeldLayer {
  heads: Map<string, MappedArtifact>;
  domains: Map<string, Domain>;
}

export function createDomainModel(
  store: Pick<Store, 'domains' | 'transaction'>,
  tenant: number,
): DomainModel {
  const held = new Map<number, HeldLayer>();

  function at(layer: number): HeldLayer {
    const known = held.get(layer) ?? { heads: new Map(), domains: new Map() };
    held.set(layer, known);
    return known;
  }

  function filesOf(layers: LayerStack): Domain[] {
    return layers.flatMap((layer) => [...at(layer).domains.values()]);
  }

  return {
    async putHeads(layer, heads) {
      const records = Object.entries(heads).map(([id, traits]) =>
        newHead({ id, layer, description: `${id} in ${layer}`, ...traits }),
      );
      for (const { id, type, version, description, tags, ...fields } of records) {
        const { deprecated, search_visibility } = fields;
        const mapped = { tags: [...tags], deprecated, search_visibility };
        at(layer).heads.set(id, { id, type, version, description, fields: mapped });
      }
      await store.transaction(async ({ versions, domains }) => {
        await versions.putHeads(tenant, layer, records);
        await domains.countHeads(tenant, layer, {
          added: records.map(({ id }) => id),
          removed: [],
        });
      });
    },
    async removeHeads(layer, ids) {
      for (const id of ids) at(layer).heads.delete(id);
      await store.transaction(async ({ versions, domains }) => {
        await domains.countHeads(tenant, layer, { added: [], removed: ids });
        await versions.removeHeads(tenant, layer, ids);
      });
    },
    async putDomains(layer, texts) {
      const records = Object.entries(texts).map(([path, { fields, body }]) => ({
        path,
        text: `${JSON.stringify(fields)}${body}`,
        domain: { path, layer: String(layer), fields, body },
      }));
      for (const { path, domain } of records) at(layer).domains.set(path, domain);
      await store.transaction(({ domains }) => domains.putDomains(tenant, layer, records));
    },
    async removeDomains(layer, paths) {
      for (const path of paths) at(layer).domains.delete(path);
      await store.transaction(({ domains }) => domains.removeDomains(tenant, layer, paths));
    },
    reader: (layers) => store.domains.openReader(tenant, layers),
    search: (layers, query) => store.domains.search(tenant, layers, query),
    describe: (layers, paths) => store.domains.describe(tenant, layers, paths),
    expectedReader: (layers) =>
      readDomainsInMemory({
        artifacts: [...new Map(layers.flatMap((layer) => [...at(layer).heads])).values()],
        domains: filesOf(layers),
      }),
    expectedSearch: (layers, query) => referenceDomainSearch(filesOf(layers), query),
    expectedDescriptions: (layers, paths) => referenceDescriptions(filesOf(layers), paths),
  };
}

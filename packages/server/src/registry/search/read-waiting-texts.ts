import { mergeDomains } from '@catalog/core/domain/merge-domains';
import { readDomain } from '@catalog/core/domain/read-domain';
import type { PendingEmbedding } from '@catalog/core/ports/embeddings';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import { domainText, embeddedText } from '@catalog/core/search/embedded-text';
import type { Registry } from '../registry.ts';

export interface TextToEmbed {
  waiting: PendingEmbedding;
  text: string;
}

/** Reads pending texts. Deleted entries and entries without content have none. */
export async function readWaitingTexts(
  { store }: Registry,
  tenant: Tenant,
  layer: LayerNumber,
  waiting: readonly PendingEmbedding[],
): Promise<TextToEmbed[]> {
  const texts = { artifact: new Map<string, string>(), domain: new Map<string, string>() };
  const { artifact = [], domain = [] } = Object.groupBy(waiting, ({ kind }) => kind);
  const ids = artifact.map(({ id }) => id);
  const heads = ids.length === 0 ? [] : await store.versions.readTexts(tenant, layer, ids);
  for (const head of heads) texts.artifact.set(head.id, embeddedText(head));
  const paths = domain.map(({ id }) => id);
  const files = paths.length === 0 ? [] : await store.domains.readTexts(tenant, layer, paths);
  for (const [path, text] of files) texts.domain.set(path, textOfDomain(path, text));
  return waiting
    .map((row) => ({ waiting: row, text: texts[row.kind].get(row.id) ?? '' }))
    .filter(({ text }) => text !== '');
}

function textOfDomain(path: string, text: string): string {
  const reading = readDomain({ path, bytes: new TextEncoder().encode(text) }, '');
  return reading.kind === 'ok' ? domainText(mergeDomains(path, [reading.domain])) : '';
}

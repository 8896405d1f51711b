import { mergeDomains } from '@catalog/core/domain/merge-domains';
import { readDomain } from '@catalog/core/domain/read-domain';
import type { WaitingText } from '@catalog/core/ports/embeddings';
import type { Tenant } from '@catalog/core/ports/tenant';
import { domainText, embeddedText } from '@catalog/core/search/embedded-text';
import type { Registry } from '../registry.ts';

/** Something that waits, with the text its vector is made of. */
export interface TextToEmbed {
  waiting: WaitingText;
  text: string;
}

/** The texts of what waits in one layer; what is gone meanwhile, or says nothing, has none. */
export async function readWaitingTexts(
  registry: Registry,
  tenant: Tenant,
  layer: number,
  waiting: readonly WaitingText[],
): Promise<TextToEmbed[]> {
  const texts = new Map<string, string>();
  const idsOf = (kind: WaitingText['kind']): string[] =>
    waiting.filter((row) => row.kind === kind).map(({ id }) => id);
  const ids = idsOf('artifact');
  if (ids.length > 0) {
    const heads = await registry.store.versions.listHeadsOf(tenant, [layer], ids);
    for (const head of heads) texts.set(`artifact ${head.id}`, embeddedText(head));
  }
  const paths = idsOf('domain');
  if (paths.length > 0) {
    const files = await registry.store.domains.readTexts(tenant, layer, paths);
    for (const [path, text] of files) texts.set(`domain ${path}`, textOfDomain(path, text));
  }
  return waiting.flatMap((row) => {
    const text = texts.get(`${row.kind} ${row.id}`) ?? '';
    return text === '' ? [] : [{ waiting: row, text }];
  });
}

function textOfDomain(path: string, text: string): string {
  const reading = readDomain({ path, bytes: new TextEncoder().encode(text) }, '');
  return reading.kind === 'ok' ? domainText(mergeDomains(path, [reading.domain])) : '';
}

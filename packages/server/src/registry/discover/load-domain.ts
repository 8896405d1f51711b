import { renderDomainMap, type DomainMap } from '@catalog/core/domain/render-domain-map';
import type { CallContext, Registry } from '../registry.ts';
import { resolveView } from '../view/resolve-view.ts';

/** What a caller asks for. */
export interface DomainQuestion {
  /** Empty for the root. */
  path: string;
  /** Levels of subdomains; absent or 0 for as many as the domain shows. */
  depth?: number | undefined;
}

/** The map of a domain, drawn from the caller's view as the registry and the domain's author set it. */
export async function loadDomain(
  registry: Registry,
  context: CallContext,
  { path, depth = 0 }: DomainQuestion,
): Promise<DomainMap> {
  const { stack, reads } = await resolveView(registry, context);
  const reader = reads.domains.openReader(context.tenant, stack);
  const { discovery } = registry.settings;
  const { map } = await renderDomainMap(reader, { path, depth, discovery });
  return map;
}

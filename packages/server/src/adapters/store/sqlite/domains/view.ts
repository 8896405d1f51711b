import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import { pathAndAbove } from '@catalog/core/domain/domain-path';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { LayerStack } from '@catalog/core/ports/versions';
import { isWithin } from '@catalog/core/text/slash-path';
import type { Connection } from '../connection/connection.ts';
import { subtreeRanges } from '@catalog/core/text/path-ranges';

/**
 * The layers of one view, as the domain tables are read for them. It lives as long as one request, and
 * remembers what it has learned of the layers, so that later questions are asked of fewer of them.
 */
export interface DomainView {
  tenant: Tenant;
  layers: LayerStack;
  /** The place of each layer; a higher one wins. */
  ranks: ReadonlyMap<LayerNumber, number>;
  /** The layers with an unlisted domain. */
  unlisting: readonly number[];
  /** The layers with a domain that imports. */
  importing: ReadonlySet<LayerNumber>;
  /** The layers that have something at a path or below it, where that is known. */
  present: Map<string, readonly number[]>;
  /** The layers that hold ids there which other layers hold too, where that is known. */
  sharing: Map<string, readonly number[]>;
  /** Listed paths below which all unlisted domains are known, with those. */
  unlisted: Map<string, ReadonlySet<string>>;
  /** What a domain must not import although one of its layers does, where that is known. */
  excluded: Map<string, (id: string) => boolean>;
}

export function openDomainView(
  connection: Connection,
  tenant: Tenant,
  layers: LayerStack,
): DomainView {
  const having = (sql: string): number[] =>
    connection
      .statement<{ layer: LayerNumber }>(
        `SELECT named.value AS layer FROM json_each(?2) named WHERE EXISTS (${sql})`,
      )
      .all(tenant, JSON.stringify(layers))
      .map(({ layer }) => layer);
  return {
    tenant,
    layers,
    ranks: new Map(layers.map((layer, rank) => [layer, rank])),
    unlisting: having(
      `SELECT 1 FROM domains WHERE tenant = ?1 AND layer = named.value AND unlisted = 1`,
    ),
    importing: new Set(
      having(`SELECT 1 FROM domain_globs WHERE tenant = ?1 AND layer = named.value`),
    ),
    present: new Map(),
    // What is shared anywhere is counted at the root.
    sharing: new Map([
      [
        '',
        having(
          `SELECT 1 FROM domain_overlaps WHERE tenant = ?1 AND path = '' AND layer = named.value`,
        ),
      ],
    ]),
    unlisted: new Map(),
    excluded: new Map(),
  };
}

/** The layers worth asking about a path: those known to have something there, else all. */
export function layersAt({ present, layers }: DomainView, path: string): readonly LayerNumber[] {
  return present.get(path) ?? layers;
}

/** Whether a domain, or one above it, is unlisted. */
export function isHidden(connection: Connection, view: DomainView, path: string): boolean {
  if (view.unlisting.length === 0 || path === '') return false;
  for (const [known, unlisted] of view.unlisted) {
    if (isWithin(path, known)) return pathAndAbove(path).some((above) => unlisted.has(above));
  }
  const row = connection
    .statement(
      `SELECT 1 FROM json_each(?2) layer CROSS JOIN json_each(?3) above
       CROSS JOIN domains d
       ON d.tenant = ?1 AND d.layer = layer.value AND d.path = above.value AND d.unlisted = 1
       LIMIT 1`,
    )
    .get(view.tenant, JSON.stringify(view.unlisting), JSON.stringify(pathAndAbove(path)));
  return row !== undefined;
}

/** The unlisted domains below a listed one, without those below others of them. */
export function listUnlisted(connection: Connection, view: DomainView, path: string): string[] {
  if (view.unlisting.length === 0) return [];
  for (const [known, unlisted] of view.unlisted) {
    if (isWithin(path, known)) return [...unlisted].filter((below) => isWithin(below, path));
  }
  const statement = connection.statement<{ path: string }>(
    `SELECT d.path FROM json_each(?2) layer CROSS JOIN domains d
     ON d.tenant = ?1 AND d.layer = layer.value AND d.path >= ?3 AND d.path < ?4 AND d.unlisted = 1`,
  );
  const layers = JSON.stringify(view.unlisting);
  const found = subtreeRanges(path, [])
    .flatMap(({ from, before }) => statement.all(view.tenant, layers, from, before))
    .map((row) => row.path);
  const highest = new Set<string>();
  // In byte order a path comes before all that lie below it.
  for (const below of found.sort(compareBytes)) {
    if (!pathAndAbove(below).some((above) => highest.has(above))) highest.add(below);
  }
  view.unlisted.set(path, highest);
  return [...highest];
}

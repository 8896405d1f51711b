import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import { pathAndAbove } from '@catalog/core/domain/domain-path';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { LayerStack } from '@catalog/core/ports/versions';
import { isWithin } from '@catalog/core/text/slash-path';
import type { Connection } from '../connection/connection.ts';
import { subtreeRanges } from '@catalog/core/text/path-ranges';

/** View of the domains for one request. Cached facts let later queries read fewer layers. */
export interface DomainView {
  tenant: Tenant;
  layers: LayerStack;
  ranks: ReadonlyMap<LayerNumber, number>;
  unlisting: readonly number[];
  importing: ReadonlySet<LayerNumber>;
  /** Layers with data at or below a path, for known paths. */
  present: Map<string, readonly number[]>;
  /** Layers that share ids at or below a path, for known paths. */
  sharing: Map<string, readonly number[]>;
  /** Unlisted domains below each listed path. */
  unlisted: Map<string, ReadonlySet<string>>;
  /** Exclude filters of domains that several `DOMAIN.md` files describe. */
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
    // All shared ids of the view; the root contains every path.
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

/** Returns the layers with data at a path; all layers if that is unknown. */
export function layersAt({ present, layers }: DomainView, path: string): readonly LayerNumber[] {
  return present.get(path) ?? layers;
}

/** Returns true if the domain or one of its ancestors is unlisted. */
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

/** Lists the topmost unlisted domains below a path. */
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
  for (const below of found.sort(compareBytes)) {
    if (!pathAndAbove(below).some((above) => highest.has(above))) highest.add(below);
  }
  view.unlisted.set(path, highest);
  return [...highest];
}

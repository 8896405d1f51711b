import { createHash } from 'node:crypto';
import type { PointKey } from '@catalog/core/ports/vector-engine';
import type { Tenant } from '@catalog/core/ports/tenant';

/** UUID version 8 (RFC 9562), whose content the application defines. */
const VERSION = '8';
const VARIANT = '8';

/** Returns the id of a point. The id is stable, so that storing the point again replaces it. */
export function pointId(tenant: Tenant, model: string, { layer, kind, id }: PointKey): string {
  const hex = hexOf([tenant, model, layer, kind, id]);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    VERSION + hex.slice(13, 16),
    VARIANT + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-');
}

export function hexOf(values: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 32);
}

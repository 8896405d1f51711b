import { createHash } from 'node:crypto';
import type { PointKey } from '@catalog/core/ports/vector-engine';
import type { Tenant } from '@catalog/core/ports/tenant';

/** Version 8 of a UUID (RFC 9562): its bits are the maker's own. */
const VERSION = '8';
/** The variant of that standard. */
const VARIANT = '8';

/** The same point has the same id for ever, so that putting it again replaces it. */
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

/** Hexadecimal digits that stand for some values and no others. */
export function hexOf(values: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 32);
}

import type { ListingUse } from '@catalog/harness/budget/measure-listing';
import { count } from '../../output/text.ts';

export function budgetLine({ entries, listing, to_shorten }: ListingUse): string {
  const listed = count(entries, 'description');
  if (listing === undefined) {
    return to_shorten === 0
      ? `${listed}, none too long; no published limit for the list`
      : `${count(to_shorten, 'description')} of ${entries} too long`;
  }
  const { used, limit, unit, lost, beyond } = listing;
  const room = `${listed} ${entries === 1 ? 'uses' : 'use'} ${grouped(used)} of ${grouped(limit)} ${unit}`;
  if (lost > 0) return `${room}: ${lost} would be ${beyond}`;
  return to_shorten > 0 ? `${room}; ${to_shorten} would be cut` : room;
}

/** Formats a number as `12,000`. `Intl.NumberFormat` would take longer than a sync without changes. */
export function grouped(number: number): string {
  return String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

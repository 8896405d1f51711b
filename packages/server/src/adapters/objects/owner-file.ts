export const OWNER_FILE = 'catalog-owner.json';

/** Identity of an incomplete or foreign owner file. It differs from the identity of every store. */
const UNREADABLE = 'unreadable';

export function formatOwner(identity: string): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify({ identity })}\n`);
}

export function parseOwner(bytes: Uint8Array): string {
  try {
    const owner: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof owner !== 'object' || owner === null || !('identity' in owner)) return UNREADABLE;
    return typeof owner.identity === 'string' ? owner.identity : UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

/**
 * Signed checkpoints of the audit log, next to the objects of all tenants. They are created once and
 * never replaced, so that they witness what the log contained.
 */
export interface AuditObjects {
  /** Stores an object durably. Returns false, and changes nothing, if the name exists. */
  create(name: string, bytes: Uint8Array, signal?: AbortSignal): Promise<boolean>;
  read(name: string, signal?: AbortSignal): Promise<Uint8Array | undefined>;
  /** Lists a page of names after `after`, in order. */
  list(page: { after: string; limit: number }, signal?: AbortSignal): Promise<string[]>;
}

/** Prefix of the objects, next to the numbers of the tenants. */
export const AUDIT_PREFIX = 'audit';

const NUMBER_DIGITS = 12;
const NAME = /^(\d{12})\.json$/;

/** Returns the name of the checkpoints with the number. Names sort like numbers. */
export function checkpointsName(number: number): string {
  return `${String(number).padStart(NUMBER_DIGITS, '0')}.json`;
}

/** Returns undefined for a name that catalog did not choose. */
export function checkpointsNumber(name: string): number | undefined {
  const digits = NAME.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

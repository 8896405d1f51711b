/** Personal layers of one identity where nobody says otherwise. */
const DEFAULT_CAP = 3;

/**
 * How many personal layers one identity may have. What the deployment says itself goes before what the
 * tenant says; a tenant's zero says nothing, and a negative number is no cap.
 */
export function userLayerCap(deployment: number | undefined, tenant: number): number {
  const cap = deployment ?? (tenant === 0 ? DEFAULT_CAP : tenant);
  return cap < 0 ? Infinity : cap;
}

const DEFAULT_CAP = 3;

/** Prefers the deployment's value. A tenant's 0 is the default; a negative number is unlimited. */
export function userLayerCap(deployment: number | undefined, tenant: number): number {
  const cap = deployment ?? (tenant === 0 ? DEFAULT_CAP : tenant);
  return cap < 0 ? Infinity : cap;
}

const DEFAULT_CAP = 3;

/**
 * Returns the limit of personal layers. The value of the deployment has precedence; 0 of a tenant means the default, a
 * negative number unlimited.
 */
export function userLayerCap(deployment: number | undefined, tenant: number): number {
  const cap = deployment ?? (tenant === 0 ? DEFAULT_CAP : tenant);
  return cap < 0 ? Infinity : cap;
}

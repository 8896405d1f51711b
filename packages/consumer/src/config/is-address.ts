/** Returns true if the registry is a URL; otherwise it is a folder. */
export function isAddress(registry: string): boolean {
  return /^https?:\/\//i.test(registry);
}

/** Whether a registry is a server's address; everything else is a folder. */
export function isAddress(registry: string): boolean {
  return /^https?:\/\//i.test(registry);
}

const FOREIGN = /[^\u0130\u2126\u212A\u212B]+/g;

/**
 * Keeps letters whose lowercase form is in another alphabet, so that a kelvin sign instead of a K
 * cannot impersonate another user.
 */
export function foldName(name: string): string {
  return name.replaceAll(FOREIGN, (part) => part.toLowerCase());
}

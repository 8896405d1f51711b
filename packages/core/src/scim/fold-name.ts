const FOREIGN = /[^\u0130\u2126\u212A\u212B]+/g;

/**
 * Normalizes a name for comparison. A letter whose lowercase form is in another alphabet stays, so that a kelvin sign
 * cannot impersonate a K.
 */
export function foldName(name: string): string {
  return name.replaceAll(FOREIGN, (part) => part.toLowerCase());
}

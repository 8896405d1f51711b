/** Letters whose small form is a letter of another alphabet: the signs for kelvin, ångström and ohm, and İ. */
const FOREIGN = /[^\u0130\u2126\u212A\u212B]+/g;

/**
 * A name as names are compared: in small letters. A letter that would become another alphabet's stays,
 * so that nobody passes for somebody else by writing the sign for kelvin instead of a K.
 */
export function foldName(name: string): string {
  return name.replaceAll(FOREIGN, (part) => part.toLowerCase());
}

import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { VERSION } from '@catalog/contract/version';

export function checkMinServerVersion(
  pin: string,
  place: string,
  running = VERSION,
  who = 'this program',
): void {
  const [wanted, here] = [parse(pin, pin, place), parse(running, pin, who)];
  if (compare(wanted, here) <= 0) return;
  throw new CatalogError(
    'config.server_version_too_old',
    `${place} needs catalog ${pin} or later, but ${who} is ${running}.`,
    { details: { min_server_version: pin, version: running } },
  );
}

function parse(version: string, pin: string, place: string): number[] {
  const match = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(version);
  if (match === null) {
    throw new CatalogError(
      'config.invalid_min_version',
      version === pin
        ? `${place}: min_server_version ${pin} is not a version such as 0.4.0.`
        : `${place} reports version ${version}, which cannot be compared with a min_server_version.`,
      { details: { min_server_version: pin } },
    );
  }
  return match.slice(1).map(Number);
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [index, part] of a.entries()) {
    const difference = part - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

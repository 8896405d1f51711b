import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { shorten } from '../text/shorten.ts';
import { parsePin, type Pin } from '../version/pin.ts';
import { pathProblem } from './safe-path.ts';

export interface Reference {
  id: string;
  pin: Pin;
}

const PIN_SIGN = '@';

/** Parses `<id>` or `<id>@<pin>`. */
export function parseReference(text: string): Reference {
  const sign = text.indexOf(PIN_SIGN);
  const id = sign === -1 ? text : text.slice(0, sign);
  const problem = idProblem(id);
  if (problem !== undefined)
    throw invalidReference(`\`${shorten(id)}\` is not a valid artifact id: it ${problem}.`);
  if (sign === -1) return { id, pin: { kind: 'latest' } };
  const pin = text.slice(sign + 1);
  if (pin === '') throw invalidReference(`\`${shorten(text)}\` has no version after the @.`);
  return { id, pin: parsePin(pin) };
}

/** Accepts a relative path of plain segments without `@`. */
export function isArtifactId(id: string): boolean {
  return idProblem(id) === undefined;
}

/** Returns why an id is invalid, as a phrase that follows the id; undefined if it is valid. */
export function idProblem(id: string): string | undefined {
  return id.includes(PIN_SIGN) ? 'contains @, which separates a version' : pathProblem(id);
}

function invalidReference(message: string): CatalogError {
  return new CatalogError('registry.invalid_argument', message, {
    details: { argument: 'id' },
    suggested_action: 'Write <id> or <id>@<version>, such as ops/deploy/check@1.2.x.',
  });
}

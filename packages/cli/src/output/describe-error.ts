import { CatalogError, type ErrorEnvelope } from '@catalog/contract/errors/catalog-error';
import { ERROR_CODES } from '@catalog/contract/errors/error-codes';
import { RegistryError } from '@catalog/sdk/registry-error';
import { shortenPaths, type Where } from './places.ts';
import { styled, type Line, type Span } from './text.ts';

export interface DescribedError {
  lines: Line[];
  envelope: ErrorEnvelope;
  exit: number;
}

interface Surroundings extends Where {
  env: Readonly<Record<string, string | undefined>>;
}

/** Describes an error, with its stack only if CATALOG_DEBUG=1. */
export function describeError(thrown: unknown, around: Surroundings): DescribedError {
  const error = isKnown(thrown) ? thrown : internalError(thrown);
  const envelope = error.toEnvelope();
  const lines = envelopeLines([styled('red', 'error')], envelope, around);
  if (around.env['CATALOG_DEBUG'] === '1') lines.push(...stackOf(thrown));
  return { lines, envelope, exit: exitOf(error) };
}

function isKnown(thrown: unknown): thrown is CatalogError | RegistryError {
  return thrown instanceof CatalogError || thrown instanceof RegistryError;
}

/** Returns the exit code. Codes of plugins are unknown, so the envelope decides whether a retry can succeed. */
function exitOf(error: CatalogError | RegistryError): number {
  if (error instanceof CatalogError) return ERROR_CODES[error.code].exit;
  return error.retryable ? 3 : 1;
}

export function envelopeLines(
  head: readonly Span[],
  { message, code, suggested_action }: ErrorEnvelope,
  where: Where,
): Line[] {
  // Further lines are indented, so that a message cannot imitate output of catalog.
  const [first = '', ...rest] = shortenPaths(message, where).split('\n');
  return [
    [...head, `: ${first}`],
    ...rest.map((line) => `  ${line.trimStart()}`),
    [styled('dim', ` code: ${code}`)],
    [styled('bold', ' next'), `: ${shortenPaths(suggested_action, where)}`],
  ];
}

/** Labels an error as internal, so that it does not look like a mistake of the user. */
function internalError(thrown: unknown): CatalogError {
  const what = thrown instanceof Error ? thrown.message : String(thrown);
  return new CatalogError('registry.unknown', `Internal error: ${what}`, {
    suggested_action:
      'This is a bug in catalog. Run the command again with CATALOG_DEBUG=1 and report the output.',
    cause: thrown,
  });
}

function stackOf(thrown: unknown): string[] {
  const lines: string[] = [];
  for (let error = thrown; error instanceof Error; error = error.cause) {
    lines.push(...(error.stack ?? error.message).split('\n').map((line) => `  ${line}`));
  }
  return lines;
}

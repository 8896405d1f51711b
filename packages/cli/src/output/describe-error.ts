import { CatalogError, type ErrorEnvelope } from '@catalog/contract/errors/catalog-error';
import { errorCatalogue } from '@catalog/contract/errors/catalogue';
import { styled, type Line } from './text.ts';

/** An error as both audiences get it. */
export interface DescribedError {
  lines: Line[];
  envelope: ErrorEnvelope;
  exit: number;
}

/** What happened, its code, and what to do next. A stack only for those who ask with CATALOG_DEBUG=1. */
export function describeError(
  thrown: unknown,
  env: Readonly<Record<string, string | undefined>>,
): DescribedError {
  const error = thrown instanceof CatalogError ? thrown : internalError(thrown);
  // Only the first line of a message stands at the margin, so that no name in it can pose as ours.
  const [first = '', ...rest] = error.message.split('\n');
  const lines: Line[] = [
    [styled('red', 'error'), `: ${first}`],
    ...rest.map((line) => `  ${line.trimStart()}`),
    [styled('dim', ` code: ${error.code}`)],
    [styled('bold', ' next'), `: ${error.suggested_action}`],
  ];
  if (env['CATALOG_DEBUG'] === '1') lines.push(...stackOf(thrown));
  return { lines, envelope: error.toEnvelope(), exit: errorCatalogue[error.code].exit };
}

/** A failure nobody foresaw. It says so, instead of passing for a problem of the person's making. */
function internalError(thrown: unknown): CatalogError {
  const what = thrown instanceof Error ? thrown.message : String(thrown);
  return new CatalogError('registry.unknown', `Internal error: ${what}`, {
    suggested_action:
      'This is a defect of catalog. Run the command again with CATALOG_DEBUG=1 and report what it prints.',
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

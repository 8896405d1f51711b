import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { ManagedEntry } from '../adapter.ts';

export function invalidTarget(
  text: string,
  offset: number,
  file: string,
  problem: string,
  suggested_action?: string,
): CatalogError {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  const line = lines.length;
  const column = (lines.at(-1) ?? '').length + 1;
  return new CatalogError('materialize.target_invalid', `${file}:${line}:${column} ${problem}.`, {
    details: { path: file, line, column },
    ...(suggested_action === undefined ? {} : { suggested_action }),
  });
}

export function wrongKind(
  text: string,
  offset: number,
  file: string,
  entry: Pick<ManagedEntry, 'container' | 'artifact_id'>,
  depth: number,
  needed: string,
): CatalogError {
  const name = entry.container.slice(0, depth).join('.');
  const problem = `holds something other than ${needed} under ${name}, where ${entry.artifact_id} needs one`;
  return invalidTarget(text, offset, file, problem);
}

export function foreignEntry(file: string, entry: ManagedEntry): CatalogError {
  const place = [...entry.container, entry.key].join('.');
  return new CatalogError(
    'materialize.clash',
    `${file} already holds ${place}, which catalog did not write, and ${entry.artifact_id} would be written there.`,
    {
      details: {
        clashes: [
          {
            path: `${file}: ${place}`,
            existing: 'an entry catalog does not own',
            incoming: entry.artifact_id,
          },
        ],
      },
      suggested_action: `Rename or remove ${place} in ${file}, or exclude ${entry.artifact_id} from this target.`,
    },
  );
}

export function duplicateEntry(
  file: string,
  entry: ManagedEntry,
  other: ManagedEntry,
): CatalogError {
  const place = [...entry.container, entry.key].join('.');
  return new CatalogError(
    'materialize.clash',
    `${entry.artifact_id} and ${other.artifact_id} would both be written to ${place} in ${file}.`,
    {
      details: {
        clashes: [
          {
            path: `${file}: ${place}`,
            existing: other.artifact_id,
            incoming: entry.artifact_id,
          },
        ],
      },
    },
  );
}

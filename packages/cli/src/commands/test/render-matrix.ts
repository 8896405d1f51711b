import type { FirstResults } from '@catalog/core/triggers/count-first-results';
import { alignColumns, styled, type Line } from '../../output/text.ts';

const MAX_ROWS = 15;

/** Renders a matrix: one row per expected artifact, one column per first result, with the same numbers. */
export function renderMatrix(matrix: readonly FirstResults[]): Line[] {
  const losers = matrix.filter(({ id, first }) => first.some((each) => each.id !== id));
  if (losers.length === 0) return ['No artifact ranks first for the queries of another one.'];
  const shown = losers
    .toSorted((a, b) => countLostQueries(b) - countLostQueries(a))
    .slice(0, MAX_ROWS);
  const ids = [
    ...new Set([...shown.map(({ id }) => id), ...shown.flatMap((row) => listWinners(row))]),
  ];
  const counts = new Map(matrix.map((row) => [row.id, row]));
  const rows = ids.map((id, number): Line[] => [
    String(number + 1),
    [styled('bold', id)],
    ...ids.map((other) => cell(counts.get(id), other)),
  ]);
  const more = losers.length - shown.length;
  return [
    'First result (column) for the queries of an artifact (row)',
    ...alignColumns([['', '', ...ids.map((_, number) => String(number + 1))], ...rows], '  '),
    ...(more === 0 ? [] : [`  and ${more} more; to list all, add --json`]),
  ];
}

function countLostQueries({ id, first }: FirstResults): number {
  return first.reduce((sum, each) => sum + (each.id === id ? 0 : each.queries), 0);
}

function listWinners({ id, first }: FirstResults): string[] {
  return first.filter((each) => each.id !== id).map((each) => each.id);
}

function cell(row: FirstResults | undefined, other: string): string {
  if (row === undefined) return '-';
  return String(row.first.find(({ id }) => id === other)?.queries ?? '.');
}

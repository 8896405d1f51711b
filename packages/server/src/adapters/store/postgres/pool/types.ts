import { types as driverTypes, type CustomTypesConfig } from 'pg';

const { builtins, getTypeParser } = driverTypes;

const PARSERS = new Map<number, (text: string) => unknown>([
  // Counters are far below 2^53, so a number is exact.
  [builtins.INT8, Number],
  // Timestamps outside this adapter have the format of `toISOString`.
  [builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString()],
]);

export const types: CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : PARSERS.get(id)) ?? getTypeParser(id, format ?? 'text'),
};

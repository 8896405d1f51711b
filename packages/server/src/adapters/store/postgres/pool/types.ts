import { types as driverTypes, type CustomTypesConfig } from 'pg';

const { builtins, getTypeParser } = driverTypes;

const PARSERS = new Map<number, (text: string) => unknown>([
  // Counters stay far below 2^53.
  [builtins.INT8, Number],
  // The ports speak of moments as `toISOString` writes them.
  [builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString()],
]);

/** How values come out of the driver: as the ports name them. */
export const types: CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : PARSERS.get(id)) ?? getTypeParser(id, format ?? 'text'),
};

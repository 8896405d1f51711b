import { usageError } from '../command/usage-errors.ts';

/** The whole number a flag was given; undefined where it was not. */
export function readNumber(flag: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (/^\d{1,9}$/.test(value)) return number;
  throw usageError(`${flag} must be an integer, not ${value}.`, `Use \`${flag} 10\`.`, {
    argument: flag,
  });
}

import { usageError } from '../command/usage-errors.ts';

export function readNumber(flag: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (/^\d{1,9}$/.test(value)) return number;
  throw usageError(`${flag} must be an integer, not ${value}.`, `Use \`${flag} 10\`.`, {
    argument: flag,
  });
}

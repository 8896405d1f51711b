import type { Json } from '@catalog/core/json';
import {
  INVALID_FIELD,
  MAX_ENTRIES,
  flag,
  listOf,
  matching,
  oneOf,
  text,
  type Check,
  type FieldReading,
} from '@catalog/core/manifest/field-checks';

export interface Setting<Value = unknown, Default extends Value | undefined = Value | undefined> {
  summary: string;
  check: Check<Value>;
  default: Default;
  /** Default shown in the reference, if the value alone is unclear. */
  default_text?: string;
  /** Environment variables, of which the first set one applies. Absent for settings that only a file can contain. */
  env?: readonly string[];
  flag?: string;
  fromText?(text: string): Json;
  resolve?(value: Value, toAbsolute: (path: string) => string): Value;
  format?(value: Value): Json;
  /** Hides secrets in a value; absent if the value contains none. */
  mask?(value: Value): unknown;
  /** True if a rejected value may contain a password. */
  refuses_secrets?: true;
}

/** Creates the reader of a setting. Errors do not repeat a value that may contain a password. */
export function readingOf(setting: Setting, path: FieldReading['path']): FieldReading {
  const hides_values = setting.mask !== undefined || setting.refuses_secrets === true;
  return { path, problems: [], hides_values };
}

/** Formats a setting as in a file, without secrets. */
export function showValue(setting: Setting, value: unknown): unknown {
  if (setting.mask !== undefined) return setting.mask(value);
  return setting.format === undefined ? value : setting.format(value);
}

type Rest<Value, Default extends Value | undefined> = Omit<
  Setting<Value, Default>,
  'check' | 'fromText'
>;

export function textSetting<Default extends string | undefined>(
  row: Rest<string, Default> & { check?: Check<string> },
): Setting<string, Default> {
  return { check: text(), ...row, fromText: (value) => value };
}

const PATH: Check<string> = { ...text(4096), shape: 'a path' };

export function pathSetting<Default extends string | undefined>(
  row: Rest<string, Default>,
): Setting<string, Default> {
  return {
    ...textSetting({ ...row, check: PATH }),
    resolve: (path, toAbsolute) => toAbsolute(path),
  };
}

export function switchSetting(row: Rest<boolean, boolean>): Setting<boolean, boolean> {
  return { ...row, check: flag(), fromText: readSwitch };
}

export function choiceSetting<const Value extends string>(
  values: readonly Value[],
  row: Rest<Value, Value>,
): Setting<Value, Value> {
  return { ...row, check: oneOf(values), fromText: (value) => value };
}

export function numberSetting(
  bounds: { min: number; max: number },
  row: Rest<number, number>,
): Setting<number, number> {
  return { ...row, check: numberIn(bounds), fromText: readNumber };
}

export function listSetting(
  row: Rest<string[], string[]> & { of?: Check<string> },
): Setting<string[], string[]> {
  const { of = text(), ...rest } = row;
  return { ...rest, check: listOf(of), fromText: (value) => readWords(value) };
}

export function durationSetting(row: Rest<number, number>): Setting<number, number> {
  return { ...row, check: duration, fromText: (value) => value, format: formatDuration };
}

export function durationsSetting(row: Rest<number[], number[]>): Setting<number[], number[]> {
  return {
    ...row,
    check: listOf(duration),
    fromText: (value) => readWords(value),
    format: (values) => values.map(formatDuration),
  };
}

/** Maximum duration: timers of Node are limited to about 24 days. */
export const MAX_WAIT_SECONDS = 20 * 86_400;

const UNITS = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
]);

/** Formats a duration with the largest unit of which it has at least two: `60s`, `2m`. */
function formatDuration(seconds: number): string {
  const units = [...UNITS].toReversed();
  const found = units.find(([, unit]) => seconds % unit === 0 && seconds >= 2 * unit);
  if (seconds === 0) return '0';
  const [letter, unit] = found ?? ['s', 1];
  return `${seconds / unit}${letter}`;
}

const DURATION = matching(
  /^(?:0|[1-9]\d{0,8}[smhd])$/,
  'a duration such as `90s`, `5m`, `12h`, or `0`',
  INVALID_FIELD,
  'Write an integer followed by s, m, h, or d.',
);

const duration: Check<number> = {
  shape: DURATION.shape,
  read(value, at) {
    const read = DURATION.read(value, at);
    if (read === undefined) return undefined;
    const seconds = Number.parseInt(read, 10) * (UNITS.get(read.slice(-1)) ?? 0);
    if (seconds <= MAX_WAIT_SECONDS) return seconds;
    at.problems.push({
      path: [...at.path],
      code: INVALID_FIELD,
      message: `\`${at.path.join('.')}\` is longer than 20 days.`,
      fix: 'Set a shorter duration.',
    });
    return undefined;
  },
};

function numberIn({ min, max }: { min: number; max: number }): Check<number> {
  const shape = `an integer from ${min} to ${max}`;
  return {
    shape,
    read(value, at) {
      if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) {
        return Number(value);
      }
      const found = typeof value === 'object' ? 'another type' : `\`${String(value)}\``;
      at.problems.push({
        path: [...at.path],
        code: INVALID_FIELD,
        message: `\`${at.path.join('.')}\` must be ${shape}, but is ${found}.`,
        fix: 'Write the number in plain digits.',
      });
      return undefined;
    },
  };
}

/** Creates a check from a function that converts a string, or returns undefined to reject it. */
export function checked(
  shape: string,
  fix: string,
  accept: (value: string) => string | undefined,
): Check<string> {
  return {
    shape,
    read(value, at) {
      const read = typeof value === 'string' ? accept(value) : undefined;
      if (read !== undefined) return read;
      at.problems.push({
        path: [...at.path],
        code: INVALID_FIELD,
        message: `\`${at.path.join('.')}\` must be ${shape}.`,
        fix,
      });
      return undefined;
    },
  };
}

function readSwitch(value: string): Json {
  if (value === 'true' || value === '1') return true;
  return value === 'false' || value === '0' ? false : value;
}

function readNumber(value: string): Json {
  return /^-?\d{1,15}$/.test(value) ? Number(value) : value;
}

function readWords(value: string): string[] {
  return value.split(/[\s,]+/, MAX_ENTRIES + 1).filter((word) => word !== '');
}

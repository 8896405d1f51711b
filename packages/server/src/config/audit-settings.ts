import {
  listOf,
  matching,
  member,
  record,
  text,
  INVALID_FIELD,
  type Check,
} from '@catalog/core/manifest/field-checks';
import type { PiiPattern } from '../registry/audit/redact-query.ts';
import { checked, choiceSetting, numberSetting, switchSetting, type Setting } from './setting.ts';

const MAX_PATTERN = 1000;

/** Converts a pattern to a regular expression; undefined if it is invalid or matches nothing. */
export function parsePattern(source: string): RegExp | undefined {
  try {
    const pattern = new RegExp(source, 'giu');
    return pattern.test('') ? undefined : pattern;
  } catch {
    return undefined;
  }
}

const piiPattern: Check<PiiPattern> = record<PiiPattern>({
  create: () => ({ name: '', regex: '' }),
  required: ['name', 'regex'],
  members: [
    member(
      'name',
      matching(
        /^[a-z0-9][a-z0-9_-]{0,63}$/,
        'a name of lowercase letters, digits, dashes, and underscores',
        INVALID_FIELD,
        'Write a name such as `employee-number`.',
      ),
    ),
    member(
      'regex',
      checked(
        'a regular expression that does not match an empty string',
        'Use the syntax of JavaScript, without slashes and flags.',
        (value) =>
          value.length <= MAX_PATTERN && parsePattern(value) !== undefined ? value : undefined,
      ),
    ),
    member('replacement', text(MAX_PATTERN)),
  ],
  strict: true,
});

export const AUDIT_SETTINGS = {
  'audit.reads': choiceSetting(['all', 'sensitive', 'none'], {
    summary:
      'Reads of artifacts to record: `all`; `sensitive`, artifacts of medium and high sensitivity; or `none`.',
    env: ['CATALOG_AUDIT_READS'],
    default: 'all',
  }),
  'audit.queries': switchSetting({
    summary: 'Record the queries of searches, after `pii_redaction`.',
    env: ['CATALOG_AUDIT_QUERIES'],
    default: false,
  }),
  'audit.read_retention_days': numberSetting(
    { min: 0, max: 36_500 },
    {
      summary: 'Days to keep records of reads; `0` keeps them forever.',
      env: ['CATALOG_AUDIT_READ_RETENTION_DAYS'],
      default: 400,
    },
  ),
  'usage.counts': switchSetting({
    summary:
      'Count loads and syncs per artifact, version, and day, without identities. They order the list of popular artifacts.',
    env: ['CATALOG_USAGE_COUNTS'],
    default: true,
  }),
  'pii_redaction.enabled': switchSetting({
    summary:
      'Replace social security numbers, credit card numbers, email addresses, and phone numbers in recorded queries.',
    env: ['CATALOG_PII_REDACTION'],
    default: true,
  }),
  'pii_redaction.patterns': {
    summary:
      'Further patterns to replace in recorded queries: `{name, regex, replacement}`. Matches ignore case; the default replacement is `[<name>]`.',
    check: listOf(piiPattern),
    default: [],
  } satisfies Setting<PiiPattern[], PiiPattern[]>,
} as const satisfies Readonly<Record<string, Setting>>;

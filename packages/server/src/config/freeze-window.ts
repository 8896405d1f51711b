import { FREEZE_BLOCKS, type FreezeWindow } from '@catalog/contract/records/freeze';
import { findWindowProblem } from '@catalog/core/freeze/freeze-window';
import {
  INVALID_FIELD,
  listOf,
  matching,
  member,
  oneOf,
  record,
  text,
  type Check,
} from '@catalog/core/manifest/field-checks';
import { checked } from './setting.ts';

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;

const time = checked(
  'a time with an offset, such as `2026-12-24T00:00:00+01:00`',
  'Write an RFC 3339 time.',
  (value) => {
    const parsed = TIME.test(value) ? new Date(value) : undefined;
    return parsed === undefined || Number.isNaN(parsed.getTime())
      ? undefined
      : parsed.toISOString();
  },
);

const fields = record<FreezeWindow>({
  create: () => ({ name: '', blocks: ['ingest'] }),
  required: ['name'],
  members: [
    member(
      'name',
      matching(
        /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/,
        'a name of letters, digits, dots, dashes, and underscores',
        INVALID_FIELD,
        'Choose another name.',
      ),
    ),
    member('start', time),
    member('end', time),
    member('starts', text()),
    member('ends', text()),
    member('time_zone', text()),
    member('blocks', listOf(oneOf(FREEZE_BLOCKS))),
  ],
  strict: true,
});

/** Day from which schedules are searched for a first occurrence, so that a check needs no clock. */
const SEARCHED_FROM = new Date('2026-01-01T00:00:00Z');

/** A freeze window in the configuration of a registry. */
export const freezeWindow: Check<FreezeWindow> = {
  shape: fields.shape,
  read(value, at) {
    const window = fields.read(value, at);
    if (window === undefined) return undefined;
    const problem = findWindowProblem(window, SEARCHED_FROM);
    if (problem === undefined && window.blocks.length > 0) return window;
    at.problems.push({
      path: [...at.path],
      code: INVALID_FIELD,
      message: `The freeze window \`${window.name}\` is invalid: ${problem ?? '`blocks` is empty'}.`,
      fix: 'Write `start` and `end`, or `starts`, `ends`, and `time_zone`.',
    });
    return undefined;
  },
};

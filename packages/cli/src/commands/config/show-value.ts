import { isAbsolute } from 'node:path';
import type { Session } from '../../command/session.ts';
import { shortPath } from '../../output/places.ts';
import { styled, type Line } from '../../output/text.ts';

export function showValue(value: unknown, session: Session): Line {
  if (value === undefined) return [styled('dim', '(unset)')];
  if (typeof value !== 'string') return JSON.stringify(value);
  return isAbsolute(value) ? shortPath(value, session) : value;
}

import type { Config } from '@catalog/consumer/config/types';
import type { Session } from '../command/session.ts';
import { shortenPaths } from '../output/places.ts';
import { styled } from '../output/text.ts';

export function noteWarnings({ warnings }: Config, session: Session): void {
  for (const warning of warnings) {
    session.note([styled('yellow', 'warning'), `: ${shortenPaths(warning, session)}`]);
  }
}

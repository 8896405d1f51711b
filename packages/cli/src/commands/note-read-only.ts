import type { Session } from '../command/session.ts';
import { count, styled } from '../output/text.ts';

export function noteReadOnly(session: Session): (lag_seconds: number) => void {
  let isReported = false;
  return (lag_seconds) => {
    if (isReported) return;
    isReported = true;
    const age = count(lag_seconds, 'second');
    session.note([
      styled('yellow', 'warning'),
      `: the registry is read-only; data may be ${age} old`,
    ]);
  };
}

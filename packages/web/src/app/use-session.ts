import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { sessionQuery } from '../api/queries.ts';
import { whenIdle } from '../parts/when-idle.ts';

/** Returns the session, which is read when the browser is idle, so that the content of the page loads first. */
export function useSession(refetchInterval: number | false = false) {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return useQuery({ ...sessionQuery, enabled: isIdle, refetchInterval });
}

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { sessionQuery } from '../api/queries.ts';
import { whenIdle } from '../parts/when-idle.ts';

/** Reads the session for the frame around a page. The page comes first, so it waits until the browser is idle. */
export function useSession(refetchInterval: number | false = false) {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return useQuery({ ...sessionQuery, enabled: isIdle, refetchInterval });
}

import { useEffect, useState } from 'react';

/** A wait that a reader notices. */
const SLOW_MS = 200;

/** Returns true once something has been pending for a while. */
export function useIsSlow(isPending: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isPending) return undefined;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isPending]);
  return isSlow && isPending;
}

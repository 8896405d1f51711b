import { useSyncExternalStore } from 'react';

/** Width of narrow screens, the same as in the style sheets. */
const narrow = matchMedia('(max-width: 900px)');

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
}

export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}

import { useSyncExternalStore } from 'react';

/** Width below which pages have one column, as in the style sheets. */
const narrow = matchMedia('(max-width: 900px)');

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
}

/** Returns true if the window is so narrow that pages have one column. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}

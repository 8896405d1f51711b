import { pollTree } from './poll-tree.ts';
import { watchTree, type TreeWatch } from './watch-tree.ts';

/**
 * Watches a folder, and polls it from the moment it cannot be watched. `onFallback` is told once;
 * where that comes after the start an event follows, for what happened between the last event and
 * the first look is known to nobody.
 */
export function followTree(
  root: string,
  onEvent: () => void,
  onFallback: (cause: unknown) => void,
  at_once?: number,
): TreeWatch {
  let polling: TreeWatch | undefined;
  let starting = true;
  const watching = watchTree(
    root,
    onEvent,
    (cause) => {
      polling = pollTree(root, onEvent);
      onFallback(cause);
      if (!starting) onEvent();
    },
    at_once,
  );
  starting = false;
  return {
    close: () => {
      watching.close();
      polling?.close();
    },
  };
}

import { pollTree } from './poll-tree.ts';
import { watchTree, type TreeWatch } from './watch-tree.ts';

/**
 * Polls as soon as watching fails, and calls `onFallback` once. If watching fails after the start, an
 * event follows, because changes between the last event and the first poll are unknown.
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

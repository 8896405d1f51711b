import { pollTree } from './poll-tree.ts';
import { watchTree, type TreeWatch } from './watch-tree.ts';

/**
 * Watches a directory, or polls it if watching fails; `onFallback` is called once. After a failure, an event follows,
 * because some changes may be unknown.
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

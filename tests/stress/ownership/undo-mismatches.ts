import { isCopy, isSameContent, type UndoPoint } from './model.ts';
import { isSameFile, type Tree } from './tree.ts';

/** Whether a path is as the last sync left it, so that undo restores it. */
export function isUndone({ after }: UndoPoint, now: Tree, path: string): boolean {
  const [left, leaf] = [after.get(path), now.get(path)];
  if (left === undefined || leaf === undefined) return left === leaf;
  return isSameContent(left, leaf);
}

/** Lists what undo did to files it must leave alone, and what it did not restore. */
export function findUndoMismatches(point: UndoPoint, before: Tree, after: Tree): string[] {
  const wrong: string[] = [];
  const paths = new Set(
    [point.before, point.after, before, after].flatMap((tree) => [...tree.keys()]),
  );
  for (const path of paths) {
    const [was, left] = [point.before.get(path), point.after.get(path)];
    const [current, now] = [before.get(path), after.get(path)];
    const isTouched = was !== left && !isCopy(path) && path !== '.catalog/sync.yaml';
    if (!isTouched || !isUndone(point, before, path)) {
      const isOpen = point.between !== undefined && isUndone(point, before, path);
      if (now !== current && !isOpen)
        wrong.push(`${path}: undo changed a file it must leave alone`);
      continue;
    }
    const isOwn = point.model.user.has(path) || point.model.own_shared.has(path);
    const restored = [was, point.between?.get(path)].some((leaf) =>
      isOwn ? now === leaf : isSameFile(now, leaf),
    );
    const isGiven = point.between === undefined || point.between.get(path) !== left;
    if (!restored && isGiven) wrong.push(`${path}: undo did not restore it`);
  }
  return wrong;
}

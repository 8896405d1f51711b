import { isCopy, isSameContent, type UndoPoint } from './model.ts';
import { SETTINGS } from './settings.ts';
import { isSameFile, type Tree } from './tree.ts';

/** Whether a path is as the last sync left it, so that undo restores it. */
export function isUndone({ after }: UndoPoint, now: Tree, path: string): boolean {
  const [left, leaf] = [after.get(path), now.get(path)];
  // A folder of the user's in its place, or a file in the place of a folder above it.
  const isBlocked = [...now].some(
    ([other, content]) =>
      (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) &&
      after.get(other) !== content,
  );
  if (isBlocked) return false;
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
    const left = point.after.get(path);
    const [current, now] = [before.get(path), after.get(path)];
    // If the sync completed an interrupted one, undo takes back both, or the last if the first was done.
    const former = [point.before, point.between ?? point.before].map((tree) => tree.get(path));
    const isTouched = !isCopy(path) && path !== SETTINGS && former.some((leaf) => leaf !== left);
    if (!isTouched || !isUndone(point, before, path)) {
      if (now !== current) wrong.push(`${path}: undo changed a file it must leave alone`);
      continue;
    }
    const isOwn = point.model.user.has(path) || point.model.own_shared.has(path);
    const isRestored = former.some((leaf) => (isOwn ? now === leaf : isSameFile(now, leaf)));
    if (!isRestored) wrong.push(`${path}: undo did not restore it`);
  }
  return wrong;
}

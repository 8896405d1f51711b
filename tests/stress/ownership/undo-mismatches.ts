import { isCopy, isSameContent, type UndoPoint } from './model.ts';
import { SETTINGS } from './settings.ts';
import { isSameFile, type Tree } from './tree.ts';

/** True if a path is unchanged since the last sync, so that undo restores it. */
export function isUndone({ after }: UndoPoint, now: Tree, path: string): boolean {
  const [left, leaf] = [after.get(path), now.get(path)];
  // A folder of the user is in its place, or a file is in the place of a parent folder.
  const isBlocked = [...now].some(
    ([other, content]) =>
      (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) &&
      after.get(other) !== content,
  );
  if (isBlocked) return false;
  if (left === undefined || leaf === undefined) return left === leaf;
  return isSameContent(left, leaf);
}

export function findUndoMismatches(point: UndoPoint, before: Tree, after: Tree): string[] {
  const wrong: string[] = [];
  // If syncs were interrupted, undo reverts all of them, or only the last if the previous one had
  // completed.
  const states = [{ tree: point.before, model: point.model }, ...point.between];
  const paths = new Set(
    [...states.map(({ tree }) => tree), point.after, before, after].flatMap((tree) => [
      ...tree.keys(),
    ]),
  );
  for (const path of paths) {
    const left = point.after.get(path);
    const [current, now] = [before.get(path), after.get(path)];
    const isTouched =
      !isCopy(path) && path !== SETTINGS && states.some(({ tree }) => tree.get(path) !== left);
    if (!isTouched || !isUndone(point, before, path)) {
      if (now !== current) wrong.push(`${path}: undo changed a file it must leave alone`);
      continue;
    }
    const isRestored = states.some(({ tree, model: { user, own_shared } }) => {
      const isOwn = user.has(path) || own_shared.has(path);
      return isOwn ? now === tree.get(path) : isSameFile(now, tree.get(path));
    });
    if (!isRestored) wrong.push(`${path}: undo did not restore it`);
  }
  return wrong;
}

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { pollTree } from './poll-tree.ts';
import { watchTree, type TreeWatch } from './watch-tree.ts';

type Open = (root: string, onEvent: () => void) => TreeWatch;

const WATCH: Open = (root, onEvent) =>
  watchTree(root, onEvent, (cause) => {
    throw cause;
  });

const WATCHERS: [string, Open][] = [
  ['watching', WATCH],
  ['polling', pollTree],
];

function listen(open: Open, root: string): { next(): Promise<void>; count(): number } {
  let count = 0;
  let wake: (() => void) | undefined;
  const tree = open(root, () => {
    count += 1;
    wake?.();
  });
  onTestFinished(() => tree.close());
  return {
    count: () => count,
    next: () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      }),
  };
}

describe.each(WATCHERS)('%s a folder', (_name, open) => {
  test('reports edits at every depth and in new folders', async () => {
    const root = temporaryFolder();
    writeTree(root, { 'a/b/file': '1' });
    const events = listen(open, root);

    let seen = events.next();
    writeFileSync(`${root}/a/b/file`, 'longer');
    await seen;

    seen = events.next();
    mkdirSync(`${root}/new/deep/er`, { recursive: true });
    await seen;

    seen = events.next();
    writeFileSync(`${root}/new/deep/er/file`, '1');
    await seen;

    seen = events.next();
    rmSync(`${root}/a`, { recursive: true });
    await seen;

    seen = events.next();
    writeTree(root, { 'a/b/file': 'again' });
    await seen;
    expect(events.count()).toBeGreaterThanOrEqual(5);
  });

  test('reports a folder that was moved in, and changes in it', async () => {
    const root = temporaryFolder();
    const outside = temporaryFolder();
    writeTree(outside, { 'moved/file': '1' });
    const events = listen(open, root);
    let seen = events.next();
    renameSync(`${outside}/moved`, `${root}/moved`);
    await seen;
    seen = events.next();
    writeFileSync(`${root}/moved/file`, 'longer');
    await seen;
  });
});

describe('watchTree', () => {
  test('continues after a folder was replaced', async () => {
    const root = temporaryFolder();
    const stage = temporaryFolder();
    writeTree(root, { 'team/alpha/file': '1' });
    writeTree(stage, { 'team/alpha/file': '2' });
    const events = listen(WATCH, root);
    let seen = events.next();
    renameSync(`${root}/team`, `${stage}/old`);
    renameSync(`${stage}/team`, `${root}/team`);
    await seen;
    await nextTurn();
    await nextTurn();
    seen = events.next();
    writeFileSync(`${root}/team/alpha/file`, 'longer than before');
    await seen;
  });

  test('adds a large tree in steps and ends with an event', async () => {
    const root = temporaryFolder();
    for (let index = 0; index < 50; index += 1) writeTree(root, { [`a${index}/b/file`]: '1' });
    const fail = (cause: unknown): never => {
      throw cause;
    };
    const few: Open = (place, onEvent) => watchTree(place, onEvent, fail, 7);
    const events = listen(few, root);
    await events.next();
    expect(events.count()).toBe(1);
    const seen = events.next();
    writeFileSync(`${root}/a49/b/file`, 'longer');
    await seen;
  });

  test('reports once that a folder cannot be watched', () => {
    const failures: unknown[] = [];
    watchTree(
      `${temporaryFolder()}/missing`,
      () => {},
      (cause) => failures.push(cause),
    );
    expect(failures).toHaveLength(1);
  });

  test('reports that the folder was deleted', async () => {
    const root = temporaryFolder();
    mkdirSync(`${root}/watched`);
    const failed = new Promise((resolve) => {
      watchTree(`${root}/watched`, () => {}, resolve);
    });
    rmSync(`${root}/watched`, { recursive: true });
    await failed;
  });
});

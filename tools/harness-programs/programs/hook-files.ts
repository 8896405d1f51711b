import { readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../read-files.ts';
import { antigravityHooks, clineEvent, devinHooks, kiroHooks } from '../schemas/documented.ts';
import { editText } from '../workspace.ts';
import type { PublishedLayout } from './published-layout.ts';

type HookFiles = NonNullable<PublishedLayout['hooks']>;

export const kiroHookFiles: HookFiles = {
  read: (workspace) => {
    const folder = join(workspace, '.kiro/hooks');
    return readdirSync(folder).flatMap((file) => {
      const { data } = kiroHooks.safeParse(readJson(join(folder, file)));
      return data?.hooks.map(({ trigger }) => trigger) ?? [];
    });
  },
  breaks: (workspace) => {
    editText(join(workspace, '.kiro/hooks/guard.json'), (text) => text.replace('"v1"', '"1"'));
  },
};

export const antigravityHookFile: HookFiles = {
  read: (workspace) => {
    const { data } = antigravityHooks.safeParse(readJson(join(workspace, '.agents/hooks.json')));
    return Object.values(data ?? {}).flatMap(eventsIn);
  },
  breaks: (workspace) => {
    editText(join(workspace, '.agents/hooks.json'), (text) =>
      text.replace('"PreToolUse"', '"BeforeTool"'),
    );
  },
};

export const devinHookFile: HookFiles = {
  read: (workspace) => {
    const { data } = devinHooks.safeParse(readJson(join(workspace, '.devin/hooks.v1.json')));
    return eventsIn(data ?? {});
  },
  breaks: (workspace) => {
    editText(join(workspace, '.devin/hooks.v1.json'), (text) =>
      text.replace('"PreToolUse"', '"preToolUse"'),
    );
  },
};

/** Each executable is named after its event, without an extension. */
export const clineHookFiles: HookFiles = {
  once: true,
  read: (workspace) => {
    const folder = join(workspace, '.clinerules/hooks');
    return readdirSync(folder).filter(
      (file) =>
        clineEvent.safeParse(file).success && (statSync(join(folder, file)).mode & 0o111) !== 0,
    );
  },
  breaks: (workspace) => {
    const file = join(workspace, '.clinerules/hooks/PreToolUse');
    renameSync(file, `${file}.mjs`);
  },
};

function eventsIn(lists: Readonly<Record<string, readonly unknown[] | undefined>>): string[] {
  return Object.entries(lists).flatMap(([event, list = []]) => list.map(() => event));
}

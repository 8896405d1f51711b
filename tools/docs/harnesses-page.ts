import { adapters } from '@catalog/harness/registry';
import { code, page, table } from './markdown.ts';

export function harnessesPage(): string {
  const all = [...adapters.values()];
  const tables = all.map(
    (adapter) => new Map<string, string>(Object.entries(adapter.capabilities)),
  );
  const capabilities = [...new Set(tables.flatMap((cells) => [...cells.keys()]))];
  return page('Harnesses', 'packages/harness/src/adapters', [
    table(
      ['Harness', 'What it is', 'Recognised by'],
      all.map((adapter) => [
        code(adapter.id),
        adapter.summary,
        adapter.detect.map(code).join(', ') || 'nothing',
      ]),
    ),
    '## What each can take',
    '`native`: as the harness itself does it. `fallback`: delivered another way, and lint says so. ' +
      '`unsupported`: a sync fails, or leaves the artifact out when told to.',
    table(
      ['Capability', ...all.map((adapter) => code(adapter.id))],
      capabilities.map((capability) => [
        code(capability),
        ...tables.map((cells) => cells.get(capability) ?? ''),
      ]),
    ),
    '## Hook events',
    table(
      ['Harness', 'Event', 'Becomes', 'Matcher'],
      all.flatMap((adapter) =>
        Object.entries(adapter.hook_events).flatMap(([event, native]) => {
          // The canonical layout keeps every event as it is.
          if (native === undefined || native.event === event) return [];
          const matcher = native.matcher === undefined ? '' : code(native.matcher);
          return [[code(adapter.id), code(event), code(native.event), matcher]];
        }),
      ),
    ),
  ]);
}

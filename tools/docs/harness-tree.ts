import type { HarnessAdapter } from '@catalog/harness/adapter';
import { planArtifacts } from '@catalog/harness/plan';
import { artifactOf } from '@catalog/testkit/authored-package';

const SAMPLE = [
  artifactOf('ops/check-release', {
    'ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\n---\n',
    'SKILL.md':
      '---\nname: check-release\ndescription: Checks a release before it ships.\n---\nRun scripts/check.sh.\n',
    'scripts/check.sh': '#!/bin/sh\n',
  }),
  artifactOf('ops/triager', {
    'ARTIFACT.md':
      '---\ntype: agent\nversion: 1.0.0\ndescription: Sorts incoming incidents.\n---\nYou triage.\n',
  }),
  artifactOf('ops/ship', {
    'ARTIFACT.md':
      '---\ntype: command\nversion: 1.0.0\ndescription: Starts a release.\n---\nShip $ARGUMENTS.\n',
  }),
  artifactOf('ops/no-friday', {
    'ARTIFACT.md':
      '---\ntype: rule\nversion: 1.0.0\ndescription: No releases on Fridays.\nrule_mode: always\n---\nNot on Fridays.\n',
  }),
  artifactOf('ops/log-turns', {
    'ARTIFACT.md':
      '---\ntype: hook\nversion: 1.0.0\ndescription: Logs each turn.\nhook_event: stop\nhook_action: scripts/log.sh\n---\n',
    'scripts/log.sh': '#!/bin/sh\n',
  }),
  artifactOf('ops/warehouse', {
    'ARTIFACT.md':
      '---\ntype: mcp-server\nversion: 1.0.0\ndescription: Access to the warehouse.\ncommand: warehouse-mcp\n---\n',
  }),
  artifactOf('ops/terms', {
    'ARTIFACT.md':
      '---\ntype: context\nversion: 1.0.0\ndescription: The words we use.\n---\nA ship is a release.\n',
  }),
];

function typeOf(id: string): string[] {
  return SAMPLE.filter((artifact) => artifact.id === id).map(({ type }) => type);
}

export function drawTree(adapter: HarnessAdapter): string {
  const { files, entries } = planArtifacts(SAMPLE, adapter, { on_clash: 'fail' });
  const root: Folder = new Map();
  for (const path of files.map((file) => file.path)) addPath(root, path, '');
  for (const [path, group] of Map.groupBy(entries, (planned) => planned.path)) {
    const types = group.flatMap(({ artifact_id }) => typeOf(artifact_id));
    addPath(root, path, `with ${[...new Set(types)].join(' and ')}`);
  }
  return drawFolder(root, '').join('\n');
}

type Folder = Map<string, Folder | string>;

function addPath(root: Folder, path: string, note: string): void {
  const names = path.split('/');
  const file = names.pop() ?? '';
  let folder = root;
  for (const name of names) {
    const present = folder.get(name);
    const next: Folder = present instanceof Map ? present : new Map();
    folder.set(name, next);
    folder = next;
  }
  folder.set(file, note);
}

function drawFolder(folder: Folder, indent: string): string[] {
  const names = [...folder.keys()].sort();
  return names.flatMap((name, index) => {
    const item = folder.get(name) ?? '';
    const isLast = index === names.length - 1;
    const line = `${indent}${isLast ? '└── ' : '├── '}${name}`;
    if (typeof item === 'string') return [item === '' ? line : `${line}   (${item})`];
    return [`${line}/`, ...drawFolder(item, `${indent}${isLast ? '    ' : '│   '}`)];
  });
}

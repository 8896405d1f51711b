import { appendFileSync, rmSync } from 'node:fs';
import { writeTree, type FileTree } from '@catalog/testkit/temporary-folder';
import {
  install,
  load,
  LOCK,
  OWN_FILES,
  ownText,
  recover,
  remove,
  removeEntry,
  RULES,
  save,
  SERVERS,
  SETTINGS,
  SKILL,
  sync,
  takeOver,
  undo,
  writeEntry,
  type Place,
} from './place.ts';

export interface Scenario {
  name: string;
  file: string;
  prepare: (place: Place) => Promise<void>;
  run: (place: Place) => Promise<unknown>;
}

export const SCENARIOS: readonly Scenario[] = [
  { name: 'sync replaces a file', file: SKILL, prepare: publishNext, run: sync },
  {
    name: 'sync replaces an edited file',
    file: SKILL,
    prepare: async (place) => {
      await publishNext(place);
      appendFileSync(`${place.work}/${SKILL}`, `${ownText(SKILL)}\n`);
    },
    run: sync,
  },
  { name: 'sync removes a file', file: SKILL, prepare: withdraw, run: sync },
  { name: 'sync changes an MCP server', file: SERVERS, prepare: publishNext, run: sync },
  { name: 'sync removes an MCP server', file: SERVERS, prepare: withdraw, run: sync },
  { name: 'sync changes a rule', file: RULES, prepare: publishNext, run: sync },
  { name: 'sync creates a file', file: SKILL, prepare: publishFirst, run: sync },
  { name: 'sync creates a shared file', file: SERVERS, prepare: publishFirst, run: sync },
  { name: 'undo restores a file', file: SKILL, prepare: update, run: undo },
  { name: 'undo restores a shared file', file: SERVERS, prepare: update, run: undo },
  { name: 'undo removes a file', file: SKILL, prepare: install, run: undo },
  { name: 'removal of a file', file: SKILL, prepare: install, run: remove },
  { name: 'removal of an entry', file: RULES, prepare: install, run: remove },
  { name: 'sync replaces the lock', file: LOCK, prepare: publishNext, run: sync },
  { name: 'disable --save', file: SETTINGS, prepare: configure, run: save },
  { name: 'sync --take-over', file: SKILL, prepare: placeOwnSkill, run: takeOver },
  { name: 'sync --recover', file: SKILL, prepare: loseLock, run: recover },
  { name: 'sync --recover of a shared file', file: SERVERS, prepare: loseLock, run: recover },
  { name: 'sync --recover of the lock', file: LOCK, prepare: loseLock, run: recover },
  { name: 'removal of the lock', file: LOCK, prepare: install, run: remove },
  { name: 'load_artifact creates a file', file: SKILL, prepare: publishFirst, run: loadSkill },
  { name: 'load_artifact replaces a file', file: SKILL, prepare: loadFirst, run: loadSkill },
  { name: 'load_artifact of a server', file: SERVERS, prepare: loadFirst, run: loadServer },
  { name: 'load_artifact of a rule', file: RULES, prepare: loadFirst, run: loadRule },
  { name: 'load_artifact replaces the lock', file: LOCK, prepare: loadFirst, run: loadSkill },
  { name: 'mcp config creates a file', file: SERVERS, prepare: publishFirst, run: register },
  { name: 'mcp config adds an entry', file: SERVERS, prepare: publishNext, run: register },
  { name: 'mcp config changes an entry', file: SERVERS, prepare: registerFirst, run: register },
  { name: 'mcp config --remove', file: SERVERS, prepare: registerFirst, run: removeEntry },
  {
    name: 'mcp config --remove of a file',
    file: SERVERS,
    prepare: (place) => registerOnce(place, {}),
    run: removeEntry,
  },
  { name: 'mcp config --remove of the lock', file: LOCK, prepare: registerFirst, run: removeEntry },
];

async function configure(place: Place): Promise<void> {
  await publishNext(place);
  writeTree(place.work, { [SETTINGS]: `# ${ownText(SETTINGS)}\ndefaults: {}\n` });
}

async function placeOwnSkill(place: Place): Promise<void> {
  place.publish(1);
  writeTree(place.work, { [SKILL]: `${ownText(SKILL)}\n` });
}

async function loseLock(place: Place): Promise<void> {
  await publishNext(place);
  rmSync(`${place.work}/${LOCK}`);
}

function loadSkill(place: Place): Promise<unknown> {
  return load(place, 'review', 'claude-code');
}

function loadServer(place: Place): Promise<unknown> {
  return load(place, 'db', 'claude-code');
}

function loadRule(place: Place): Promise<unknown> {
  return load(place, 'law', 'codex');
}

async function loadFirst(place: Place): Promise<void> {
  writeTree(place.work, OWN_FILES);
  place.publish(1);
  await loadSkill(place);
  await loadServer(place);
  await loadRule(place);
  place.publish(2);
}

function register(place: Place): Promise<unknown> {
  return writeEntry(place, 8081);
}

function registerFirst(place: Place): Promise<void> {
  return registerOnce(place, OWN_FILES);
}

async function registerOnce(place: Place, files: FileTree): Promise<void> {
  writeTree(place.work, files);
  await writeEntry(place, 8080);
}

async function publishFirst(place: Place): Promise<void> {
  place.publish(1);
}

async function publishNext(place: Place): Promise<void> {
  await install(place);
  place.publish(2);
}

async function update(place: Place): Promise<void> {
  await publishNext(place);
  await sync(place);
}

async function withdraw(place: Place): Promise<void> {
  await install(place);
  place.publish(1, []);
}

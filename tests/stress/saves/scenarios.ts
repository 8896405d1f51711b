import { appendFileSync, rmSync } from 'node:fs';
import { writeTree } from '@catalog/testkit/temporary-folder';
import {
  install,
  LOCK,
  ownText,
  recover,
  remove,
  RULES,
  save,
  SERVERS,
  SETTINGS,
  SKILL,
  sync,
  takeOver,
  undo,
  type Place,
} from './place.ts';

/** A command in a workspace, and the file that an editor saves while the command runs. */
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

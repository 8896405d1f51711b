import { artifactNewDefinition } from '../commands/artifact/definition.ts';
import { completionDefinition } from '../commands/completion/definition.ts';
import { configShowDefinition } from '../commands/config/definition.ts';
import { harnessListDefinition } from '../commands/harness/definition.ts';
import { helpDefinition } from '../commands/help/definition.ts';
import { initDefinition } from '../commands/init/definition.ts';
import { lintDefinition } from '../commands/lint/definition.ts';
import { outdatedDefinition } from '../commands/outdated/definition.ts';
import { statusDefinition } from '../commands/status/definition.ts';
import {
  syncDefinition,
  syncDisableDefinition,
  syncEnableDefinition,
} from '../commands/sync/definition.ts';
import { updateDefinition } from '../commands/update/definition.ts';
import { versionDefinition } from '../commands/version/definition.ts';
import { whyDefinition } from '../commands/why/definition.ts';
import type { CommandDefinition } from './definition.ts';

/**
 * Every command, in the order help shows them. Help, completion and `docs/reference/commands.md`
 * are derived from this list; it imports no code of a command.
 */
export const definitions: readonly CommandDefinition[] = [
  initDefinition,
  syncDefinition,
  syncEnableDefinition,
  syncDisableDefinition,
  outdatedDefinition,
  updateDefinition,
  artifactNewDefinition,
  lintDefinition,
  statusDefinition,
  configShowDefinition,
  whyDefinition,
  harnessListDefinition,
  versionDefinition,
  helpDefinition,
  completionDefinition,
];

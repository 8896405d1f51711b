import { VERSION } from '@catalog/contract/version';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult } from '../../command/session.ts';
import type { versionDefinition } from './definition.ts';

export function run(_input: CommandInput<typeof versionDefinition>): CommandResult {
  return {
    lines: [`catalog ${VERSION}`],
    json: {
      version: VERSION,
      node: process.version,
      platform: `${process.platform}-${process.arch}`,
    },
  };
}

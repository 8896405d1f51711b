import { FIRST_CLASS_TYPES } from '@catalog/core/artifact/types';
import { adapters } from '@catalog/harness/registry';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import type { completionDefinition, Shell } from './definition.ts';
import { listPlaces, type Place } from './list-places.ts';
import { renderBash } from './render-bash.ts';
import { renderFish } from './render-fish.ts';
import { renderZsh } from './render-zsh.ts';

const RENDERERS: Readonly<Record<Shell, (places: readonly Place[]) => string>> = {
  bash: renderBash,
  zsh: renderZsh,
  fish: renderFish,
};

export function run(
  input: CommandInput<typeof completionDefinition>,
  { definitions }: Session,
): CommandResult {
  const { shell } = input.arguments;
  const places = listPlaces(definitions, {
    harness: [...adapters.keys()],
    'artifact-type': FIRST_CLASS_TYPES,
    command: [...new Set(definitions.map(({ name }) => name.split(' ')[0] ?? name))],
  });
  const script = RENDERERS[shell](places);
  return { lines: script, json: { shell, script } };
}

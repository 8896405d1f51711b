import type { Artifact } from '@catalog/core/artifact/types';
import type { FileOperation, NativeHook, Untranslatable } from '../../adapter.ts';
import { rewriteHookAction } from '../../place/hook-action.ts';
import { resourcesFolder, writeBundled } from '../../place/write-files.ts';
import { hookEvents } from './hook-events.ts';

/** The folder of the scripts is named after the id and stands in the command unquoted. */
const SHELL_SAFE = /^[\p{L}\p{N}\p{M}_./+-]+$/u;

/** An entry in the settings, and the scripts where its command finds them. */
export function placeHook(artifact: Artifact): FileOperation[] | Untranslatable {
  const { id, fields, resources } = artifact;
  const { hook_event, hook_action } = fields;
  if (hook_event === undefined || hook_action === undefined) {
    return { untranslatable: 'the hook has no hook_event or no hook_action' };
  }
  if (!SHELL_SAFE.test(id)) {
    return {
      untranslatable: 'its id becomes part of a command and holds signs a shell reads as its own',
    };
  }
  const folder = resourcesFolder(id);
  const { event, matcher }: NativeHook = hookEvents[hook_event];
  const command = rewriteHookAction(hook_action, resources, folder);
  return [
    {
      kind: 'merge-json',
      path: '.harness-a/settings.json',
      entry: {
        shape: 'array',
        container: ['hooks', event],
        key: id,
        artifact_id: id,
        value: {
          ...(matcher === undefined ? {} : { matcher }),
          hooks: [{ type: 'command', command }],
          'x-catalog-id': id,
        },
      },
    },
    ...writeBundled(folder, artifact),
  ];
}

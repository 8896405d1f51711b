import type { Artifact, HookEvent } from '@catalog/core/artifact/types';
import type { Json } from '@catalog/core/json';
import type {
  FileOperation,
  ManagedEntry,
  Place,
  PlaceContext,
  Untranslatable,
} from '../adapter.ts';
import type { NativeHook } from '../hook-event-table.ts';
import type { HookEntryLanding, HookFileLanding, HookShim, ReadyHook } from '../landing.ts';
import { TAG_KEY } from '../managed/json/find-entries.ts';
import {
  authoredMatcher,
  impliesTools,
  matcherProblem,
  nativeFilter,
} from '../shim/hook-matcher.ts';
import { rewriteHookAction } from './hook-action.ts';
import { fillTemplate } from './template.ts';
import { resourcesFolder, writeBundled, writeText } from './write-files.ts';

/** Names that a command can contain without quotes: the folder of the scripts is the id. */
const SHELL_SAFE = /^[\p{L}\p{N}\p{M}_./+-]+$/u;

export function placeHook(landing: HookEntryLanding | HookFileLanding): Place {
  return (artifact, context) => {
    const hook = readyHook(artifact, landing, context);
    if ('untranslatable' in hook) return hook;
    // A hook without an equivalent event is dropped with its scripts (HD-11).
    if ('nothing' in hook) return [];
    const { files: shared = [], ...commands } = landing.shim?.(hook) ?? {};
    const shimmed = { ...hook, ...commands };
    return [
      ...(landing.into === 'entry'
        ? writeEntry(landing, narrowed(shimmed, landing), context)
        : writeModule(
            landing,
            landing.takes_matcher ? narrowed(shimmed, landing) : shimmed,
            context,
          )),
      ...writeBundled(resourcesFolder(artifact.id), artifact),
      ...shared,
    ];
  };
}

function readyHook(
  artifact: Artifact,
  { events, shim }: HookEntryLanding | HookFileLanding,
  { plugin_root }: PlaceContext,
): ReadyHook | Untranslatable | { nothing: true } {
  const { id, fields, resources } = artifact;
  const { hook_event: event, hook_action } = fields;
  if (event === undefined || hook_action === undefined) {
    return { untranslatable: 'the hook has no hook_event or no hook_action' };
  }
  if (!SHELL_SAFE.test(id)) {
    return {
      untranslatable: 'its id becomes part of a command and holds signs a shell reads as its own',
    };
  }
  const native = events[event];
  if (native === undefined) return { nothing: true };
  const timeout = withinLimit(fields.hook_timeout, native);
  const folder = resourcesFolder(id);
  const problem = shim?.matching && matcherProblem(authoredMatcher(fields.hook_matcher));
  if (problem !== undefined) return { untranslatable: problem };
  const hook = {
    artifact,
    event,
    native,
    timeout,
    ...testedMatcher(artifact, event, native, shim),
  };
  if (plugin_root === undefined) {
    return { ...hook, command: rewriteHookAction(hook_action, resources, folder) };
  }
  // A script runs the command in the folder of the plugin, not of the agent.
  const from = shim === undefined ? `${plugin_root}/${folder}` : folder;
  const command = rewriteHookAction(hook_action, resources, from).replaceAll(`./${from}`, from);
  return { ...hook, command, plugin_root };
}

/** Returns a timeout one second below the limit of the product, so that the script reports it. */
function withinLimit(timeout: number | undefined, { max_timeout }: NativeHook): number | undefined {
  if (max_timeout === undefined) return timeout;
  return Math.min(timeout ?? Infinity, max_timeout - 1);
}

/** Returns the matcher to test; undefined for an event with its own tools. */
function testedMatcher(
  { fields }: Artifact,
  event: HookEvent,
  native: NativeHook,
  shim: HookShim | undefined,
): Pick<ReadyHook, 'matcher'> {
  const matcher = authoredMatcher(fields.hook_matcher);
  if (shim?.matching === undefined || matcher === undefined || impliesTools(event, native)) {
    return {};
  }
  return { matcher };
}

/** Adds the authored matcher, or a filter before the test of the script, unless the event implies one. */
function narrowed(hook: ReadyHook, { shim }: HookEntryLanding | HookFileLanding): ReadyHook {
  const { artifact, event, native } = hook;
  if (native.matcher !== undefined) return hook;
  const matcher =
    shim?.matching === undefined
      ? artifact.fields.hook_matcher
      : hook.matcher && nativeFilter(shim.matching, event, hook.matcher);
  return matcher === undefined ? hook : { ...hook, native: { ...native, matcher } };
}

function writeEntry(
  landing: HookEntryLanding,
  hook: ReadyHook,
  { name }: PlaceContext,
): FileOperation[] {
  const { path, container, recorded, beside = {} } = landing;
  const { id: artifact_id } = hook.artifact;
  const merge = (entry: Omit<ManagedEntry, 'artifact_id'>): FileOperation => ({
    kind: 'merge',
    path,
    entry: { ...entry, artifact_id },
  });
  const value: Json = landing.entry(hook);
  if (landing.named === true) {
    const lists = { [hook.native.event]: [value] };
    return [merge({ shape: 'map', container, key: name, value: lists, recorded })];
  }
  return [
    // Members of the file belong to no single hook.
    ...Object.keys(beside).map((key) =>
      merge({
        shape: 'map',
        container: [],
        key,
        value: beside[key] ?? null,
        recorded: 'lock',
        if_absent: true,
      }),
    ),
    merge({
      shape: 'array',
      container: [...container, hook.native.event],
      key: artifact_id,
      value: recorded === 'file' ? { ...value, [TAG_KEY]: artifact_id } : value,
      recorded,
    }),
  ];
}

function writeModule(
  { path, render, executable }: HookFileLanding,
  hook: ReadyHook,
  context: PlaceContext,
): FileOperation[] {
  const at = fillTemplate(path, { name: context.name, id: hook.artifact.id });
  return [{ ...writeText(at, render(hook, context)), executable: executable === true }];
}

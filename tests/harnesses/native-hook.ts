import { isJsonObject, type Json } from '@catalog/core/json';
import { planArtifacts } from '@catalog/harness/plan';
import { loadAdapter } from '@catalog/harness/registry';
import { artifactOf } from '@catalog/testkit/authored-package';
import type { FileTree } from '@catalog/testkit/temporary-folder';
import { hook } from './samples.ts';

export function hookOf(event: string): FileTree {
  return {
    'ops/log-stop/ARTIFACT.md': hook(event),
    'ops/log-stop/scripts/log.sh': { x: '#!/bin/sh\n' },
  };
}

/** Returns the native event and matcher of a hook; undefined if the harness rejects it. */
export function nativeHook(
  harness: string,
  event: string,
): { event: string | undefined; matcher: Json | undefined } | undefined {
  const artifact = artifactOf('ops/log-stop', { 'ARTIFACT.md': hook(event) });
  const { entries } = planArtifacts([artifact], loadAdapter(harness), { on_clash: 'fail' });
  const [planned] = entries;
  if (planned === undefined) return undefined;
  const { container, value } = planned.entry;
  return { event: container.at(-1), matcher: isJsonObject(value) ? value['matcher'] : undefined };
}

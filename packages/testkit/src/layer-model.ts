import type { LayerSnapshot } from '@catalog/core/layer/types';
import type { SourceReading } from '@catalog/core/ports/layer-source';

export type LayerModel = Map<string, string>;

export function applyReading(model: LayerModel, reading: SourceReading): void {
  if (reading.complete) model.clear();
  for (const id of reading.removed.artifacts) forget(model, id);
  for (const path of reading.removed.domains) forget(model, `${path}/DOMAIN.md`);
  const held = describeSnapshot(reading.snapshot);
  for (const [key] of held) forget(model, keyPart(key));
  for (const [key, value] of held) model.set(key, value);
}

export function describeSnapshot({ packages, domains, refused }: LayerSnapshot): LayerModel {
  const model: LayerModel = new Map();
  for (const { id, manifest, skill, resources } of packages) {
    const files = resources.map(
      ({ path, bytes, executable }) => [path, textOf(bytes), executable] as const,
    );
    model.set(`${id}\0package`, JSON.stringify([textOf(manifest), textOf(skill), files]));
  }
  for (const { path, bytes } of domains) {
    model.set(`${path === '' ? '' : `${path}/`}DOMAIN.md\0domain`, textOf(bytes) ?? '');
  }
  for (const { path, artifact_id, reason } of refused) {
    model.set(`${artifact_id ?? path}\0refused ${path}`, reason);
  }
  return model;
}

/** Returns the keys that a registry would record as rejected and read again. */
export function rejectedKeys(model: LayerModel): string[] {
  const keys = [...model.keys()].filter((key) => key.includes('\0refused'));
  return [...new Set(keys.map(keyPart))];
}

function forget(model: LayerModel, key: string): void {
  for (const known of model.keys()) if (keyPart(known) === key) model.delete(known);
}

function keyPart(key: string): string {
  return key.slice(0, key.indexOf('\0'));
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : Buffer.from(bytes).toString('latin1');
}

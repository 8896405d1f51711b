import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';
import { offsetOf, type ValuePath } from '@catalog/core/manifest/locate';
import { positionAt } from '@catalog/core/manifest/position';
import { invalidConfig, type ConfigText } from '@catalog/core/manifest/read-config';
import { readYaml } from '@catalog/core/manifest/read-yaml';
import { nearest } from '@catalog/core/text/nearest';
import { findMissing } from './unsupported-settings.ts';
import { interpolate, isInterpolated, type Environment } from './interpolate.ts';
import { readingOf, type Setting } from './setting.ts';
import type { SettingOrigin } from './sourced.ts';

export interface FileValue {
  value: unknown;
  origin: SettingOrigin;
}

const ROOT = 'registry';

export function readRegistryFile(
  source: ConfigText,
  settings: Readonly<Record<string, Setting>>,
  env: Environment,
): Map<string, FileValue> {
  const yaml = readYaml(source.text);
  if (yaml.kind === 'refused') throw invalidConfig(source, yaml.refusal, yaml.refusal.offset);
  const unexpectedKey = Object.keys(yaml.values).find((key) => key !== ROOT);
  if (unexpectedKey !== undefined) throw outsideRoot(source, unexpectedKey, settings);
  const values = new Map<string, FileValue>();
  const root = yaml.values[ROOT];
  if (root === undefined || root === null) return values;
  if (!isJsonObject(root)) throw notAMap(source, [ROOT]);
  collect(root, '', [ROOT]);
  return values;

  function collect(members: JsonObject, prefix: string, path: ValuePath): void {
    for (const [name, value] of Object.entries(members)) {
      const key = prefix + name;
      const place = [...path, name];
      const setting = Object.hasOwn(settings, key) ? settings[key] : undefined;
      if (setting !== undefined && value === null) continue;
      if (setting !== undefined) values.set(key, readValue(value, setting, place));
      else if (isGroup(key, settings)) collect(asMembers(source, value, place), `${key}.`, place);
      else throw unknownKey(source, key, place, settings);
    }
  }

  function readValue(value: Json, setting: Setting, place: ValuePath): FileValue {
    const at = readingOf(setting, [...place]);
    const replaced = interpolate(value, env, at);
    const given =
      typeof value === 'string' && typeof replaced === 'string' && isInterpolated(value)
        ? (setting.fromText?.(replaced) ?? replaced)
        : replaced;
    const read = at.problems.length === 0 ? setting.check.read(given, at) : undefined;
    const problem = at.problems[0];
    const offset = offsetOf(source.text, problem?.path ?? place) ?? 0;
    if (problem !== undefined) {
      throw invalidConfig(source, problem, offset, { key: place.join('.') });
    }
    const { line } = positionAt(source.text, offset);
    return { value: read, origin: { kind: 'file', name: source.file, line } };
  }
}

function isGroup(key: string, settings: Readonly<Record<string, Setting>>): boolean {
  return Object.keys(settings).some((known) => known.startsWith(`${key}.`));
}

function asMembers(source: ConfigText, value: Json, place: ValuePath): JsonObject {
  if (value === null) return {};
  if (isJsonObject(value)) return value;
  throw notAMap(source, place);
}

function notAMap(source: ConfigText, place: ValuePath): Error {
  const key = place.join('.');
  return invalidConfig(
    source,
    { message: `\`${key}\` must be a map.`, fix: 'Write `name: value` lines, indented under it.' },
    offsetOf(source.text, place) ?? 0,
    { key },
  );
}

function unknownKey(
  source: ConfigText,
  key: string,
  place: ValuePath,
  settings: Readonly<Record<string, Setting>>,
): Error {
  const offset = offsetOf(source.text, place) ?? 0;
  const spelled = place.join('.');
  const missing = findMissing(key);
  if (missing !== undefined) {
    return invalidConfig(source, notBuilt(`\`${spelled}\``, missing), offset, { key: spelled });
  }
  const names = Object.keys(settings).flatMap((known) => [known, known.replace(/\..*/, '')]);
  const near = nearest(key, names);
  return invalidConfig(
    source,
    {
      message: `Unknown key \`${spelled}\`.`,
      fix:
        near === undefined
          ? 'docs/reference/settings.md lists every key.'
          : `Did you mean \`${near}\`?`,
    },
    offset,
    { key: spelled, ...(near === undefined ? {} : { did_you_mean: near }) },
  );
}

export function notBuilt(name: string, what: string): { message: string; fix: string } {
  return {
    message: `${name} configures an unsupported feature: this version has no ${what}.`,
    fix: 'Remove it, or run a version that supports it.',
  };
}

/** Suggests the fix for settings at the top level instead of below `registry:`. */
function outsideRoot(
  source: ConfigText,
  key: string,
  settings: Readonly<Record<string, Setting>>,
): Error {
  const known = Object.hasOwn(settings, key) || isGroup(key, settings);
  const near = nearest(key, [ROOT]);
  return invalidConfig(
    source,
    {
      message: `Unknown key \`${key}\`; all settings belong under \`${ROOT}:\`.`,
      fix: known
        ? `Move it under \`${ROOT}:\`, indented.`
        : near === undefined
          ? `Remove it.`
          : `Did you mean \`${near}\`?`,
    },
    offsetOf(source.text, [key]) ?? 0,
    { key, ...(near === undefined ? {} : { did_you_mean: near }) },
  );
}

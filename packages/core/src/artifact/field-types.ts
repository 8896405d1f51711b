import { isJsonObject, type JsonObject } from '../json.ts';
import {
  INVALID_FIELD,
  MAX_PROSE,
  asText,
  listOf,
  mapOf,
  matching,
  member,
  record,
  reject,
  rejectMap,
  text,
  integerBetween,
  type Check,
} from '../manifest/field-checks.ts';
import type {
  ArtifactFields,
  ExternalResource,
  McpServerField,
  RuntimeRequirements,
} from './types.ts';

const NAME = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;
const VERSION = /^(?:0|[1-9]\d{0,14})\.(?:0|[1-9]\d{0,14})\.(?:0|[1-9]\d{0,14})$/;

/** Returns true if the string is `major.minor.patch` without a suffix. */
export function isArtifactVersion(text: string): boolean {
  return VERSION.test(text);
}

export const artifactVersion: Check<string> = matching(
  VERSION,
  'a version in the form `major.minor.patch`',
  'lint.invalid_version',
  'Write three numbers, such as `1.0.0`.',
);

export const artifactType: Check<string> = matching(
  /^[A-Za-z0-9][\w.-]{0,63}$/,
  'one word of up to 64 characters',
  INVALID_FIELD,
  'Write the type, such as `skill` or `rule`.',
);

export const artifactName: Check<string> = matching(
  NAME,
  'up to 64 characters: a-z, 0-9, and single hyphens in between',
  'lint.invalid_name',
  'Use lowercase letters, with a hyphen between words.',
);

type Item<T> = NonNullable<T> extends readonly (infer I)[] ? I : never;

export const mcpServer: Check<McpServerField> = record<McpServerField>({
  create: () => ({ name: '' }),
  required: ['name'],
  members: [
    member('name', text()),
    member('transport', text(64)),
    member('command', text()),
    member('args', listOf(text(MAX_PROSE))),
    member('env', mapOf(text(MAX_PROSE))),
    member('url', text()),
    member('headers', mapOf(text(MAX_PROSE))),
  ],
});

export const requiredApproval = record<Item<ArtifactFields['requiresApproval']>>({
  create: () => ({ tool: '' }),
  required: ['tool'],
  members: [member('tool', text()), member('reason', text())],
});

export const runtimeRequirements: Check<RuntimeRequirements> = record<RuntimeRequirements>({
  create: () => ({}),
  members: [
    member('python', text(64)),
    member('node', text(64)),
    member('system_packages', listOf(text())),
  ],
});

export const externalResource: Check<ExternalResource> = record<ExternalResource>({
  create: () => ({ path: '', url: '', sha256: '' }),
  required: ['path', 'url', 'sha256'],
  members: [
    member('path', text()),
    member('url', text()),
    member(
      'sha256',
      matching(
        /^[0-9a-f]{64}$/,
        '64 hexadecimal digits',
        INVALID_FIELD,
        'Write the digest as `sha256sum` prints it.',
      ),
    ),
    member('size', integerBetween(0)),
    member('signature', text(MAX_PROSE)),
  ],
});

export const softwareBill = record<NonNullable<ArtifactFields['sbom']>>({
  create: () => ({ format: '', ref: '' }),
  required: ['format', 'ref'],
  members: [member('format', text(64)), member('ref', text())],
});

/** A path to a schema, bare or as `{$ref: path}`. */
export const schemaReference: Check<string | JsonObject> = {
  shape: 'a path, or a map with `$ref`',
  read(value, at) {
    if (typeof value === 'string' && value !== '') return value;
    if (isJsonObject(value) && typeof value['$ref'] === 'string') return value;
    return reject(
      at,
      value,
      'a path',
      'Use the path of the bundled file, such as `schemas/input.json`.',
    );
  },
};

/**
 * The Agent Skills specification allows only strings here, but some products store objects. These stay in the file and
 * are not read.
 */
export const skillMetadata: Check<Record<string, string>> = {
  shape: 'a map of strings; other values are kept but not used',
  read(value, at) {
    if (!isJsonObject(value)) return rejectMap(at, value);
    const read: Record<string, string> = Object.create(null);
    for (const [name, entry] of Object.entries(value)) {
      const found = typeof entry === 'boolean' ? String(entry) : asText(entry);
      if (found !== undefined) read[name] = found;
    }
    return read;
  },
};

const toolLine = text(MAX_PROSE);
const toolList = listOf(text());

export const allowedTools: Check<string | string[]> = {
  shape: 'a string of names separated by spaces, or a list of names',
  read: (value, at) => (Array.isArray(value) ? toolList.read(value, at) : toolLine.read(value, at)),
};

import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import { readArtifact } from '@catalog/core/artifact/read-artifact';
import { pathProblem } from '@catalog/core/artifact/safe-path';
import type { Artifact, PackageFile } from '@catalog/core/artifact/types';
import { isJsonObject, type Json } from '@catalog/core/json';
import { readBase64 } from '../source/read-base64.ts';

const MANIFEST_FILE = 'ARTIFACT.md';
const SKILL_FILE = 'SKILL.md';
const EXECUTABLE = '0755';
const PLAIN = '0644';

export function toMessage(artifact: Artifact): string {
  const { id, version, type, manifest, skill, resources } = artifact;
  const text = (path: string, content: string): PackageFile => ({
    path,
    bytes: Buffer.from(content),
    executable: false,
  });
  const files = [
    ...(manifest === undefined ? [] : [text(MANIFEST_FILE, manifest.text)]),
    ...(skill === undefined ? [] : [text(SKILL_FILE, skill.text)]),
    ...resources,
  ].map(({ path, bytes, executable }) => ({
    path,
    mode: executable ? EXECUTABLE : PLAIN,
    content_base64: Buffer.from(bytes).toString('base64'),
  }));
  return `${JSON.stringify({ id, version, type, files })}\n`;
}

export type HookOutput = { kind: 'ok'; artifact: Artifact } | { kind: 'bad'; problem: string };

/**
 * Parses the output of a hook. Id, version, type and content hash stay those of the original artifact, because a hook
 * changes only the written files.
 */
export function parseHookOutput(text: string, artifact: Artifact): HookOutput {
  let answer: Json;
  try {
    answer = JSON.parse(text);
  } catch {
    return bad(text.trim() === '' ? 'it returned nothing' : 'its output is not one line of JSON');
  }
  if (!isJsonObject(answer)) return bad('its output is not a JSON object');
  for (const key of ['id', 'version', 'type'] as const) {
    if (answer[key] !== artifact[key]) return bad(`its output has a different ${key}`);
  }
  const files = readFiles(answer['files']);
  return typeof files === 'string' ? bad(files) : rebuild(files, artifact);
}

function bad(problem: string): HookOutput {
  return { kind: 'bad', problem };
}

function readFiles(value: Json | undefined): PackageFile[] | string {
  if (!Array.isArray(value)) return 'its output has no list of files';
  const files = new Map<string, PackageFile>();
  for (const item of value) {
    const file = readFile(item);
    if (typeof file === 'string') return file;
    if (files.has(file.path)) return `its output lists the file ${file.path} twice`;
    files.set(file.path, file);
  }
  return [...files.values()];
}

const MODE = /^0?[0-7]{3}$/;

function readFile(value: Json): PackageFile | string {
  if (!isJsonObject(value)) return 'its output has a file that is not a JSON object';
  const { path, mode, content_base64 } = value;
  if (typeof path !== 'string') return 'its output has a file without a path';
  const problem = pathProblem(path);
  if (problem !== undefined) return `its output has the file ${path}, which ${problem}`;
  if (typeof mode !== 'string' || !MODE.test(mode)) {
    return `its output has no mode such as 0644 for ${path}`;
  }
  const bytes = typeof content_base64 === 'string' ? readBase64(content_base64) : undefined;
  if (bytes === undefined) return `its output has no valid base64 for ${path}`;
  const executable = (Number.parseInt(mode, 8) & 0o100) !== 0;
  return { path, executable, bytes };
}

function rebuild(files: readonly PackageFile[], artifact: Artifact): HookOutput {
  const { id, layer, type, version, content_hash, authored_hash } = artifact;
  const bytesOf = (name: string): Uint8Array | undefined =>
    files.find(({ path }) => path === name)?.bytes;
  const reading = readArtifact({
    id,
    layer,
    manifest: bytesOf(MANIFEST_FILE),
    skill: bytesOf(SKILL_FILE),
    resources: files
      .filter(({ path }) => path !== MANIFEST_FILE && path !== SKILL_FILE)
      .sort((one, other) => compareBytes(one.path, other.path)),
  });
  if (reading.kind === 'refused') return bad(reading.problems[0]?.message ?? 'it cannot be read');
  const fault = reading.diagnostics.find(({ severity }) => severity === 'error');
  if (fault !== undefined) return bad(`its output is not a valid artifact: ${fault.message}`);
  if (reading.artifact.type !== type) return bad('it changed the type in ARTIFACT.md');
  return { kind: 'ok', artifact: { ...reading.artifact, version, content_hash, authored_hash } };
}

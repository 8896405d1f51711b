import type { Artifact } from '@catalog/core/artifact/types';
import { executableCapabilities } from '@catalog/core/capabilities/executable-capabilities';
import { planArtifacts } from '@catalog/harness/plan';
import { loadAdapter } from '@catalog/harness/registry';
import { artifactOf } from '@catalog/testkit/authored-package';
import { commandOf, type Spelling } from './spellings.ts';

export interface SpelledFile {
  path: string;
  text: string;
}

export interface CommandFolder {
  profile: string;
  folder: string;
  extension: 'md' | 'toml';
}

export function spelledArtifact(spelling: Spelling, commands: CommandFolder): Artifact {
  const { id, delivery, text, names } = spelling;
  const artifact = (files: Readonly<Record<string, string>>): Artifact =>
    artifactOf(`spellings/${id}`, files);
  const about = `name: ${id}\ndescription: Spelling ${id}.\n`;
  if (delivery === 'command') {
    return artifact({ 'ARTIFACT.md': `---\ntype: command\nversion: 1.0.0\n${about}---\n${text}` });
  }
  if (delivery === 'skill') {
    const named = names.length === 0 ? '' : `arguments: ${JSON.stringify(names)}\n`;
    return artifact({ 'SKILL.md': `---\n${about}${named}---\n${text}` });
  }
  const { extension } = commands;
  return artifact({
    'SKILL.md': `---\n${about}---\nUse the command.`,
    [`commands/${id}.${extension}`]: fileText(spelling, extension),
  });
}

export function filesOf(spelling: Spelling, commands: CommandFolder): SpelledFile[] {
  const { id, delivery } = spelling;
  if (delivery === 'file') {
    const { folder, extension } = commands;
    return [{ path: `${folder}/${id}.${extension}`, text: fileText(spelling, extension) }];
  }
  const adapter = loadAdapter(commands.profile, 'workspace');
  const plan = planArtifacts([spelledArtifact(spelling, commands)], adapter, { on_clash: 'fail' });
  return plan.files.map(({ path, bytes }) => ({ path, text: Buffer.from(bytes).toString() }));
}

export function isListed(spelling: Spelling, commands: CommandFolder): boolean {
  return executableCapabilities(spelledArtifact(spelling, commands)).some(
    (capability) =>
      capability.kind === 'inline_command' && capability.command.includes(commandOf(spelling.id)),
  );
}

function fileText({ text, toml }: Spelling, extension: CommandFolder['extension']): string {
  if (extension === 'md') return text;
  // JSON strings are valid TOML strings.
  return toml ?? `prompt = ${JSON.stringify(text)}\n`;
}

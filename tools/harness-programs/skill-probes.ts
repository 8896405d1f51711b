import { adapters, loadAdapter } from '@catalog/harness/registry';
import { join } from 'node:path';
import { writeText } from './workspace.ts';

const FOLDERS = new Set(
  [...adapters.keys()]
    .filter((id) => !id.startsWith('harness-'))
    .flatMap((id) => loadAdapter(id).skill_folders),
);

export function writeProbes(workspace: string): void {
  for (const folder of FOLDERS) {
    const name = probeIn(folder);
    writeText(
      join(workspace, folder, name, 'SKILL.md'),
      `---\nname: ${name}\ndescription: Look here.\n---\n\nLook.\n`,
    );
  }
}

/** Returns the skills that the program must list, and no others. */
export function probesFor(profile: string): string[] {
  return loadAdapter(profile).skill_folders.map(probeIn);
}

function probeIn(folder: string): string {
  return `probe${folder.replaceAll(/\W+/g, '-')}`;
}

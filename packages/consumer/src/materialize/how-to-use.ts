import type { Artifact } from '@catalog/core/artifact/types';
import { lastSegment } from '@catalog/core/text/slash-path';

export function howToUse(
  { id, type, name }: Pick<Artifact, 'id' | 'type' | 'name'>,
  harness: string,
  files: readonly string[],
): string {
  const main = mainFile(files);
  const later = harness === 'none' ? '' : `; ${harness} loads it automatically from its next start`;
  switch (type) {
    case 'skill':
      return `Read ${main} now and follow it${later}.`;
    case 'agent':
      return `The agent ${name} is in ${main}${later}. Until then, read that file and follow it.`;
    case 'command':
      return `The command ${name} is in ${main}${later}. Until then, read that file and follow it.`;
    case 'rule':
      return `Read ${main} and follow ${id} from now on${later}.`;
    case 'context':
      return `Read ${main}${others(files)} when you need to know more about ${id}.`;
    case 'hook':
      return `The hook ${id} is set up in ${main}. Tell the user that it runs from the next start of ${harness}.`;
    case 'mcp-server':
      return `The server ${name} is registered in ${main}. Tell the user to restart ${harness} to get its tools.`;
    default:
      return `${id} has the type ${type}: see ${main}${others(files)}.`;
  }
}

function others(files: readonly string[]): string {
  return files.length > 1 ? ' and the other files in `materialized_at`' : '';
}

function mainFile(files: readonly string[]): string {
  const named = (name: string): string | undefined =>
    files.find((path) => lastSegment(path) === name);
  return named('SKILL.md') ?? named('ARTIFACT.md') ?? files[0] ?? '';
}

/** Only the last stage: the contents of its image and its start command. */
export interface ImageRecipe {
  packages: string[];
  commands: string[];
  /** Paths relative to the root of the repository. */
  copies: { from: string; to: string }[];
  environment: Record<string, string>;
  user: string;
  folder: string;
  start: string[];
  healthcheck: string[];
}

const BUILD_FOLDER = '/build/';

/** Parses the subset that the repository uses, and throws for other instructions. */
export function readDockerfile(text: string): ImageRecipe {
  const recipe: ImageRecipe = {
    packages: [],
    commands: [],
    copies: [],
    environment: {},
    user: '0:0',
    folder: '/',
    start: [],
    healthcheck: [],
  };
  for (const { word, rest } of lastStage(text)) {
    switch (word) {
      case 'RUN':
        readRun(recipe, rest);
        break;
      case 'COPY':
        recipe.copies.push(readCopy(rest));
        break;
      case 'ENV': {
        const end = rest.indexOf('=');
        recipe.environment[rest.slice(0, end)] = rest.slice(end + 1);
        break;
      }
      case 'USER':
        recipe.user = rest;
        break;
      case 'WORKDIR':
        recipe.folder = rest;
        break;
      case 'ENTRYPOINT':
      case 'CMD':
        recipe.start.push(...readList(rest));
        break;
      case 'HEALTHCHECK':
        recipe.healthcheck = readList(rest.slice(rest.indexOf('CMD ') + 'CMD '.length));
        break;
      case 'EXPOSE':
        break;
      default:
        throw new Error(`The Dockerfile says ${word}, which is not understood here.`);
    }
  }
  return recipe;
}

function lastStage(text: string): { word: string; rest: string }[] {
  const lines = text
    .replaceAll(/^\s*#.*$/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.startsWith('FROM '));
  return lines.slice(last + 1).map((line) => {
    const space = line.indexOf(' ');
    return { word: line.slice(0, space), rest: line.slice(space + 1).trim() };
  });
}

function readRun(recipe: ImageRecipe, command: string): void {
  const installed = /apt-get install ([^&]*)/.exec(command)?.[1];
  if (installed === undefined) recipe.commands.push(command);
  else {
    const words = installed.trim().split(/\s+/);
    recipe.packages.push(...words.filter((word) => !word.startsWith('-')));
  }
}

function readCopy(rest: string): { from: string; to: string } {
  const [stage, from = '', to = ''] = rest.split(/\s+/);
  if (stage !== '--from=build' || !from.startsWith(BUILD_FOLDER)) {
    throw new Error(`The Dockerfile copies "${rest}", which is not from its build stage.`);
  }
  return { from: from.slice(BUILD_FOLDER.length), to };
}

function readList(text: string): string[] {
  const words: unknown = JSON.parse(text);
  if (!Array.isArray(words)) throw new Error(`"${text}" is no list.`);
  return words.map(String);
}

import { lastSegment } from '../text/slash-path.ts';
import { EXECUTABLE_FILE_GROUPS, type ExecutableFileGroup } from './executable-file-types.ts';

const EXTENSIONS = collect(({ extensions }) => extensions);
const BUNDLES = collect(({ bundles }) => bundles);
const DIRECTORIES = collect(({ directories }) => directories);
const NAMES = collect(({ names }) => names?.filter((name) => !name.includes('*')));
const NAME_PATTERN = compileNames(
  collect(({ names }) => names?.filter((name) => name.includes('*'))),
);

function collect(
  list: (group: ExecutableFileGroup) => readonly string[] | undefined,
): ReadonlySet<string> {
  return new Set(EXECUTABLE_FILE_GROUPS.flatMap((group) => list(group) ?? []));
}

function compileNames(names: ReadonlySet<string>): RegExp {
  const patterns = [...names].map((name) =>
    name
      .split('*')
      .map((part) => part.replaceAll('.', String.raw`\.`))
      .join('.*'),
  );
  return new RegExp(String.raw`^(?!.*\.(?:md|mdx|markdown)$)(?:${patterns.join('|')})$`, 's');
}

export function isScriptPath(path: string): boolean {
  const folded = path.toLowerCase();
  const name = lastSegment(folded);
  if (NAMES.has(name) || EXTENSIONS.has(extensionOf(name)) || NAME_PATTERN.test(name)) return true;
  return folded
    .split('/')
    .slice(0, -1)
    .some((directory) => DIRECTORIES.has(directory) || BUNDLES.has(extensionOf(directory)));
}

export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot === -1 ? '' : name.slice(dot + 1).toLowerCase();
}

/** First bytes of programs: `#!`, ELF, PE, Mach-O, universal, Java class and WebAssembly. */
const PROGRAM_STARTS: readonly (readonly number[])[] = [
  [0x23, 0x21],
  [0x7f, 0x45, 0x4c, 0x46],
  [0x4d, 0x5a],
  [0xfe, 0xed, 0xfa],
  [0xce, 0xfa, 0xed, 0xfe],
  [0xcf, 0xfa, 0xed, 0xfe],
  [0xca, 0xfe, 0xba, 0xbe],
  [0x00, 0x61, 0x73, 0x6d],
];

export function startsLikeProgram(bytes: Uint8Array): boolean {
  return PROGRAM_STARTS.some((start) => start.every((byte, index) => bytes[index] === byte));
}

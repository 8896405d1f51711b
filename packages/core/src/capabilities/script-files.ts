import { lastSegment } from '../text/slash-path.ts';

/** Directories whose files count as scripts, at any depth. */
export const SCRIPT_DIRECTORIES: readonly string[] = [
  'scripts',
  'bin',
  'hooks',
  '.git',
  '.githooks',
  '.husky',
];

/** File name extensions of scripts, programs and program packages. */
export const SCRIPT_EXTENSIONS: readonly string[] = [
  'sh bash zsh fish ksh csh nu command',
  'ps1 psm1 psd1 bat cmd com exe msi vbs vbe wsf hta lnk',
  'py pyw pyc pyz ipynb rb pl pm php lua tcl awk r jl',
  'js mjs cjs jsx ts mts cts tsx wasm node',
  'go rs swift java jar class kt kts groovy gradle scala cs csx fsx clj ex exs hs',
  'applescript scpt workflow desktop so dll dylib mk mcpb dxt vsix whl egg gem',
].flatMap((line) => line.split(' '));

/** Names of files that a tool runs, whatever their extension. */
export const SCRIPT_NAMES: readonly string[] = [
  'makefile',
  'gnumakefile',
  'justfile',
  'rakefile',
  'dockerfile',
  'vagrantfile',
  '.envrc',
];

const DIRECTORIES: ReadonlySet<string> = new Set(SCRIPT_DIRECTORIES);
const EXTENSIONS: ReadonlySet<string> = new Set(SCRIPT_EXTENSIONS);
const NAMES: ReadonlySet<string> = new Set(SCRIPT_NAMES);

/** Whether a path alone makes a file a script. Case does not matter. */
export function isScriptPath(path: string): boolean {
  const folded = path.toLowerCase();
  const name = lastSegment(folded);
  if (NAMES.has(name) || EXTENSIONS.has(extensionOf(name))) return true;
  return folded
    .split('/')
    .slice(0, -1)
    .some((directory) => DIRECTORIES.has(directory));
}

/** The part of a name after its last dot, in lower case; empty if there is none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot === -1 ? '' : name.slice(dot + 1).toLowerCase();
}

/** `#!`, and the first bytes of ELF, PE, Mach-O, universal, Java class and WebAssembly programs. */
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

/** Whether content starts like a script with an interpreter line, or like a compiled program. */
export function startsLikeProgram(bytes: Uint8Array): boolean {
  return PROGRAM_STARTS.some((start) => start.every((byte, index) => bytes[index] === byte));
}

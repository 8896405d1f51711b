import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';

export interface OpenFile {
  /** Saves text; returns false if the editor cannot, for example because the folder was removed. */
  save(text: string): boolean;
  close(): void;
}

export interface Editor {
  name: string;
  keeps: boolean;
  open(path: string): OpenFile;
}

export const EDITORS: readonly Editor[] = [
  {
    name: 'appends',
    keeps: true,
    open: (path) => byPath((text) => appendFileSync(path, text)),
  },
  {
    name: 'truncates and writes',
    keeps: false,
    open: (path) => byPath((text) => writeFileSync(path, text)),
  },
  {
    name: 'renames a new file over it',
    keeps: false,
    open: (path) =>
      byPath((text) => {
        writeFileSync(`${path}.swp`, text);
        renameSync(`${path}.swp`, path);
      }),
  },
  {
    name: 'appends through an open handle',
    keeps: true,
    open: (path) => {
      if (!existsSync(path)) return { save: () => false, close: () => undefined };
      const descriptor = openSync(path, 'a');
      return {
        save: (text) => writeSync(descriptor, text) > 0,
        close: () => closeSync(descriptor),
      };
    },
  },
];

function byPath(write: (text: string) => void): OpenFile {
  return {
    save: (text) => {
      try {
        write(text);
        return true;
      } catch {
        return false;
      }
    },
    close: () => undefined,
  };
}

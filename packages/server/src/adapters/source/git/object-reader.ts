import { MAX_FILE_BYTES } from '@catalog/core/layer/collect-snapshot';
import { openSlab } from '@catalog/core/node/slab';
import { endGroup, type GitProgram } from './git-program.ts';

export interface GitObject {
  object: string;
  type: string;
  size: number;
  /** Content of the object; empty if only the header was requested. */
  bytes: Uint8Array;
}

/** Reads objects with one git process. Returns undefined for missing objects. */
export interface ObjectReader {
  /** Returns type and size of objects. Names may contain an operator of git, such as `<id>^{commit}`. */
  headers(names: readonly string[]): Promise<(GitObject | undefined)[]>;
  contents(objects: readonly string[]): Promise<(GitObject | undefined)[]>;
  close(): void;
}

const NEWLINE = 0x0a;
const NOTHING = new Uint8Array();

interface PendingRead {
  with_bytes: boolean;
  expected: number;
  answers: (GitObject | undefined)[];
  resolve(answers: (GitObject | undefined)[]): void;
  reject(cause: Error): void;
}

export function openObjects(git: GitProgram, repository: string): ObjectReader {
  const child = git.start(['cat-file', '--batch-command', '--buffer'], { repository });
  const slab = openSlab();
  let question: PendingRead | undefined;
  let ended: Error | undefined;
  let header: Uint8Array[] = [];
  let object: GitObject | undefined;
  let filled = 0;

  function fail(cause: Error): void {
    ended ??= cause;
    question?.reject(ended);
    question = undefined;
  }

  function answer(found: GitObject | undefined): void {
    if (question === undefined) return;
    question.answers.push(found);
    if (question.answers.length < question.expected) return;
    question.resolve(question.answers);
    question = undefined;
  }

  /** Parses the header of an object and returns where its content starts. */
  function takeHeader(chunk: Buffer, start: number): number {
    const end = chunk.indexOf(NEWLINE, start);
    header.push(chunk.subarray(start, end === -1 ? chunk.length : end));
    if (end === -1) return chunk.length;
    const [name = '', type = '', size = ''] = Buffer.concat(header).toString('latin1').split(' ');
    header = [];
    if (size === '') answer(undefined);
    else if (question?.with_bytes === true) {
      // Files are checked earlier, and no legitimate tree is this large.
      if (Number(size) > MAX_FILE_BYTES) throw new RangeError('an object is too large to read');
      object = { object: name, type, size: Number(size), bytes: slab.take(Number(size)) };
      filled = 0;
    } else answer({ object: name, type, size: Number(size), bytes: NOTHING });
    return end + 1;
  }

  function takeBody(into: GitObject, chunk: Buffer, start: number): number {
    const part = chunk.subarray(start, start + into.size - filled);
    into.bytes.set(part, filled);
    filled += part.length;
    const end = start + part.length;
    if (filled < into.size || end === chunk.length) return end;
    object = undefined;
    answer(into);
    return end + 1;
  }

  function take(chunk: Buffer): void {
    let offset = 0;
    while (offset < chunk.length) {
      offset = object === undefined ? takeHeader(chunk, offset) : takeBody(object, chunk, offset);
    }
  }

  child.stdout.on('data', (chunk: Buffer) => {
    try {
      if (ended === undefined) take(chunk);
    } catch (cause) {
      fail(cause instanceof Error ? cause : new Error(String(cause)));
      endGroup(child);
    }
  });
  child.stderr.resume();
  child.stdin.on('error', () => {}); // reported by the exit of the process
  child.on('error', fail);
  child.on('close', () => fail(new Error('git stopped reading objects')));

  function readObjects(
    command: string,
    names: readonly string[],
  ): Promise<(GitObject | undefined)[]> {
    if (names.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      if (ended !== undefined || question !== undefined) {
        reject(ended ?? new Error('one question at a time'));
        return;
      }
      const with_bytes = command === 'contents';
      question = { with_bytes, expected: names.length, answers: [], resolve, reject };
      child.stdin.write(`${names.map((name) => `${command} ${name}\n`).join('')}flush\n`);
    });
  }

  return {
    headers: (names) => readObjects('info', names),
    contents: (objects) => readObjects('contents', objects),
    close: () => {
      fail(new Error('closed'));
      endGroup(child);
    },
  };
}

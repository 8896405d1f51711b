import type { AdoptReaders, Left, ProductDocument, Reading } from '../../adopt/adopt-source.ts';
import { fromProductArguments } from '../../adopt/product-arguments.ts';
import { readPrompt } from '../gemini-cli/read-back.ts';

/** A command as TOML, with `{{args}}` for what a person typed behind it. */
function readCommand(document: ProductDocument): Reading | Left {
  const reading = readPrompt(document);
  if ('left' in reading) return reading;
  const { body, changes } = fromProductArguments(reading.body, { all: '{{args}}' });
  return { ...reading, body, changes: [...reading.changes, ...changes] };
}

export const harnessGReaders: AdoptReaders = { command: readCommand };

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { SeededRandom } from '../../../tools/seeded-random.ts';

/** Where the tricks are played. */
export interface Stage {
  random: SeededRandom;
  /** A folder for the repositories of this trial, served at `url`. */
  folder: string;
  url: string;
  /** An address that answers `/<name>` with what `answer` does. */
  hostileUrl: string;
  answerWith(answer: (request: IncomingMessage, response: ServerResponse) => void): void;
  /** The port on this machine that nobody may connect to. */
  canary_port: number;
  /** A file that a command would make. */
  canary_file: string;
  /** A file outside everything, whose content nobody may see. */
  outside: string;
}

/** The layer a trick registers, and what names mean while it is read. */
export interface Trap {
  layer: Partial<LayerRecord>;
  addresses?: Readonly<Record<string, readonly string[]>>;
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { SeededRandom } from '../../../tools/seeded-random.ts';

export interface Stage {
  random: SeededRandom;
  /** Folder of this trial's repositories, served at `url`. */
  folder: string;
  url: string;
  /** URL that passes requests for `/<name>` to the handler of `answerWith`. */
  hostileUrl: string;
  answerWith(answer: (request: IncomingMessage, response: ServerResponse) => void): void;
  /** A port on this machine that must not receive a connection. */
  canary_port: number;
  /** A file that an executed command would create. */
  canary_file: string;
  /** A file outside of all repositories whose content must not appear anywhere. */
  outside: string;
}

export interface Trap {
  layer: Partial<LayerRecord>;
  addresses?: Readonly<Record<string, readonly string[]>>;
}

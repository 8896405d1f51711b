/** The reference encoder, as far as tests use it. */
export declare class StaticEncoder {
  static load(folder: string): StaticEncoder;
  tokenize(text: string): number[];
  encode(text: string): Float32Array;
}

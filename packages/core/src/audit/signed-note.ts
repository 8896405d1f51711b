import { createPublicKey, hash, sign, verify, type KeyObject } from 'node:crypto';
import type { TreeHash } from './merkle-tree.ts';

/** Signed statement about a tree: its first `size` leaves have the given root. */
export interface Checkpoint {
  /** Name of the tree, which is also the name of the key in the signature. */
  origin: string;
  size: number;
  root: TreeHash;
}

const ED25519 = 1;
const KEY_BYTES = 32;
/** DER encoding of an Ed25519 public key up to the key itself (RFC 8410). */
const KEY_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Formats and signs a checkpoint (C2SP `tlog-checkpoint` in a `signed-note`). */
export function signCheckpoint(checkpoint: Checkpoint, key: SigningKey): string {
  const { origin, size, root } = checkpoint;
  const body = `${origin}\n${size}\n${root}\n`;
  const signature = sign(null, Buffer.from(body), key.private_key);
  const signed = Buffer.concat([keyId(origin, key.public_bytes), signature]);
  return `${body}\n— ${origin} ${signed.toString('base64')}\n`;
}

/** Ed25519 key that signs checkpoints. */
export interface SigningKey {
  private_key: KeyObject;
  public_key: KeyObject;
  public_bytes: Buffer;
}

export function toSigningKey(private_key: KeyObject): SigningKey {
  const public_key = createPublicKey(private_key);
  return { private_key, public_key, public_bytes: bytesOf(public_key) };
}

function bytesOf(public_key: KeyObject): Buffer {
  return public_key.export({ type: 'spki', format: 'der' }).subarray(KEY_PREFIX.length);
}

function keyId(name: string, public_bytes: Buffer): Buffer {
  const input = [Buffer.from(`${name}\n`), Buffer.of(ED25519), public_bytes];
  return hash('sha256', Buffer.concat(input), 'buffer').subarray(0, 4);
}

/** Formats a public key as C2SP `signed-note` verifiers read it. */
export function formatVerifierKey(name: string, { public_bytes }: SigningKey): string {
  const id = keyId(name, public_bytes).toString('hex');
  return `${name}+${id}+${encodePublicKey(public_bytes)}`;
}

function encodePublicKey(public_bytes: Buffer): string {
  return Buffer.concat([Buffer.of(ED25519), public_bytes]).toString('base64');
}

/** Reads a public key in the format of `signed-note` or in PEM. Returns undefined for anything else. */
export function parseVerifierKey(text: string): KeyObject | undefined {
  const trimmed = text.trim();
  if (trimmed.startsWith('-----BEGIN PUBLIC KEY-----')) return createPublicKey(trimmed);
  const encoded = Buffer.from(trimmed.split('+').slice(2).join('+'), 'base64');
  if (encoded.length !== KEY_BYTES + 1 || encoded[0] !== ED25519) return undefined;
  const der = Buffer.concat([KEY_PREFIX, encoded.subarray(1)]);
  return createPublicKey({ key: der, type: 'spki', format: 'der' });
}

const CHECKPOINT =
  /^(?<body>(?<origin>[^\n]+)\n(?<size>0|[1-9]\d{0,14})\n(?<root>[A-Za-z0-9+/]{43}=)\n)\n— (?<name>[^ \n]+) (?<signature>[A-Za-z0-9+/=]+)\n$/;

/** Returns the content of a checkpoint if its signature is valid. */
export function openCheckpoint(note: string, public_key: KeyObject): Checkpoint | undefined {
  const read = readCheckpoint(note);
  if (read === undefined) return undefined;
  const { origin, size, root, body, name, signature } = read;
  const signed = Buffer.from(signature, 'base64');
  const isValid =
    name === origin &&
    signed.subarray(0, 4).equals(keyId(name, bytesOf(public_key))) &&
    verify(null, Buffer.from(body), public_key, signed.subarray(4));
  return isValid ? { origin, size, root } : undefined;
}

/** Reads a checkpoint without checking its signature. */
export function readCheckpoint(
  note: string,
): (Checkpoint & Record<'body' | 'name' | 'signature', string>) | undefined {
  const found = CHECKPOINT.exec(note)?.groups;
  if (found === undefined) return undefined;
  const { origin = '', size = '', root = '', body = '', name = '', signature = '' } = found;
  return { origin, size: Number(size), root, body, name, signature };
}

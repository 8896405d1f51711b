import type { UsedCapability } from '@catalog/core/artifact/capabilities-used';
import type { Artifact, FirstClassType, HookEvent } from '@catalog/core/artifact/types';
import type { Json } from '@catalog/core/json';

/** How a harness takes one capability: natively, by a fallback lint warns of, or not at all. */
export type Support = 'native' | 'fallback' | 'unsupported';

/** A row of the capability matrix. */
export type Capability = UsedCapability;

/** One column of the capability matrix, with a cell for every row. */
export type CapabilityTable = Readonly<Record<Capability, Support>>;

/** The native event a canonical one becomes, and the tool it is narrowed to. */
export interface NativeHook {
  event: string;
  matcher?: string;
}

/** What every canonical event becomes; undefined where the harness has nothing of the kind. */
export type HookEventTable = Readonly<Record<HookEvent, NativeHook | undefined>>;

/**
 * One entry catalog owns inside a JSON file that also belongs to the person.
 * `array`: `value` is an element of the array at `container`, recognised by its `x-catalog-id`.
 * `map`: `value` is the member `key` of the object at `container`; its owner is recorded in the
 * file's top-level `x-catalog` object.
 */
export interface JsonEntry {
  shape: 'array' | 'map';
  container: readonly string[];
  /** The member name; for an array the artifact id. */
  key: string;
  artifact_id: string;
  value: Json;
}

/** What an adapter asks to be done, in paths relative to the target. It does nothing itself. */
export type FileOperation =
  | { kind: 'write'; path: string; bytes: Uint8Array; executable: boolean }
  | { kind: 'merge-json'; path: string; entry: JsonEntry };

/** An artifact the harness cannot take for a reason no cell of the matrix tells. */
export interface Untranslatable {
  /** What is in the way, as a sentence without a full stop. */
  untranslatable: string;
}

/** Names that depend on what else is planned. */
export interface PlaceContext {
  /** The file name stem: `prefix` and the last segment of the id. */
  name: string;
  /** Empty; under `on_clash: qualify`, for an artifact that clashes, its domain (`ops-deploy-`). */
  prefix: string;
}

/** Says where one artifact goes and as what. Pure: equal arguments, equal operations. */
export type Place = (artifact: Artifact, context: PlaceContext) => FileOperation[] | Untranslatable;

/** A type with a place of its own; all extension types share one. */
export type PlacedType = FirstClassType | 'extension';

/** A harness: what it can take, and where each thing goes. */
export interface HarnessAdapter {
  /** The value of `--harness`. */
  id: string;
  /** One line for `catalog harness list`. */
  summary: string;
  /** The neutral label `target_harnesses` also matches; its own id for a neutral adapter. */
  label: string;
  /** Raised whenever the same artifact would be written differently: a sync then plans it again. */
  revision: number;
  /** Folders in a workspace that show the harness is in use. */
  detect: readonly string[];
  capabilities: CapabilityTable;
  /** For each cell that is a fallback, what happens instead, as a sentence without a full stop. */
  fallbacks: Readonly<Partial<Record<Capability, string>>>;
  hook_events: HookEventTable;
  place: Readonly<Record<PlacedType, Place>>;
}

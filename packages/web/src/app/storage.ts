/** Reads a value that this browser keeps; undefined if there is none or storage is disabled. */
export function readStored(storage: () => Storage, key: string): string | undefined {
  try {
    return storage().getItem(`catalog.${key}`) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a value, or removes it. Does nothing if storage is disabled or full. */
export function store(storage: () => Storage, key: string, value: string | undefined): void {
  try {
    if (value === undefined) storage().removeItem(`catalog.${key}`);
    else storage().setItem(`catalog.${key}`, value);
  } catch {
    // The page works without.
  }
}

/** Removes everything that this tab keeps, so that the next user of it finds nothing. */
export function clearTab(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith('catalog.')) sessionStorage.removeItem(key);
    }
  } catch {
    // Storage is disabled.
  }
}

export const local = (): Storage => localStorage;
/** Lasts as long as the tab. */
export const tab = (): Storage => sessionStorage;

/** Returns a stored value; undefined if there is none or storage is disabled. */
export function readStored(storage: () => Storage, key: string): string | undefined {
  try {
    return storage().getItem(`catalog.${key}`) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a value, or removes it if undefined. Errors of disabled or full storage are ignored. */
export function store(storage: () => Storage, key: string, value: string | undefined): void {
  try {
    if (value === undefined) storage().removeItem(`catalog.${key}`);
    else storage().setItem(`catalog.${key}`, value);
  } catch {
    // The page also works without storage.
  }
}

/** Removes all values of this tab, so that its next user cannot read them. */
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
export const tab = (): Storage => sessionStorage;

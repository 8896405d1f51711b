/** Event that the artifact page handles by copying its install command. */
export const COPY_EVENT = 'catalog:copy';

/** Event that opens the list of keyboard shortcuts. */
export const SHORTCUTS_EVENT = 'catalog:shortcuts';

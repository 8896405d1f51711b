/** The artifact page handles this event by copying its install command. */
export const COPY_EVENT = 'catalog:copy';

export const SHORTCUTS_EVENT = 'catalog:shortcuts';

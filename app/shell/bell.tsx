import { loadedLater } from '#ui/loaded-later.tsx';

/** The bell of a signed-in viewer. Most visitors of public pages are not signed in, and their browsers need not load it. */
export const Bell = loadedLater(async () => (await import('./bell-button.tsx')).BellButton);

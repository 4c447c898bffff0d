import { loadedLater } from '#ui/loaded-later.tsx';

/** The drawing of pages that say what went wrong, which hardly a visitor sees. */
export const ErrorDrawing = loadedLater(
  async () => (await import('#ui/empty-lot-drawing.tsx')).EmptyLotDrawing,
);

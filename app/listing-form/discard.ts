import { paths } from '#app/paths.ts';

/** Discards a draft on the server; false when that did not work. */
export async function discardDraft(draftId: string): Promise<boolean> {
  try {
    const response = await fetch(paths.listingDraft(), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ discard: draftId }),
    });
    // One that is gone already needs no discarding.
    return response.ok || response.status === 404;
  } catch {
    return false;
  }
}

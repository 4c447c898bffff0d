import { sellerPaths } from '#routing/seller-paths.ts';
import { postJson } from '#ui/post-and-read.ts';

/** Discards a draft on the server; false when that did not work. */
export async function discardDraft(draftId: string): Promise<boolean> {
  const response = await postJson(sellerPaths.listingDraft(), { discard: draftId });
  // A draft that no longer exists counts as discarded.
  return response !== null && (response.ok || response.status === 404);
}

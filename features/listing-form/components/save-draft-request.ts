import { sellerPaths } from '#routing/seller-paths.ts';
import type { SaveDraftResult } from '../commands/save-draft.ts';
import type { ListingForm } from '../form.ts';

export interface SaveDraftRequest {
  draftId: string;
  propertyId: string | null;
  version: number;
  form: ListingForm;
  base: ListingForm | null;
}

/** The command's results, or signed out, or unreachable (with a delay before retrying). */
export type SaveDraftResponse =
  | SaveDraftResult
  | { ok: false; reason: 'signed_out' }
  | { ok: false; reason: 'unreached'; retryAfterMs: number };

const RETRY_MS = 4_000;
/** How long a save may take before it is tried again. */
export const SAVE_TIMEOUT_MS = 20_000;

/** Saves a draft on the server. Never rejects: failures are results too. */
export async function sendDraft(request: SaveDraftRequest, leaving = false): Promise<SaveDraftResponse> {
  try {
    const response = await fetch(sellerPaths.listingDraft(), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(request),
      // Completes even when the page is closed.
      keepalive: leaving,
      signal: leaving ? null : AbortSignal.timeout(SAVE_TIMEOUT_MS),
    });
    if (response.ok || response.status === 409 || response.status === 410)
      return (await response.json()) as SaveDraftResult;
    if (response.status === 401) return { ok: false, reason: 'signed_out' };
    if (response.status === 404) return { ok: false, reason: 'gone' };
    const seconds = Number(response.headers.get('retry-after'));
    return { ok: false, reason: 'unreached', retryAfterMs: seconds > 0 ? seconds * 1_000 : RETRY_MS };
  } catch {
    return { ok: false, reason: 'unreached', retryAfterMs: RETRY_MS };
  }
}

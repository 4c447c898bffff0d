import { paths } from '#app/paths.ts';
import type { SaveDraftResult } from '../commands/save-draft.ts';
import type { ListingForm } from '../listing-form.ts';

export interface DraftCall {
  draftId: string;
  propertyId: string | null;
  version: number;
  form: ListingForm;
  base: ListingForm | null;
}

/** What came of saving; beside the command's own answers: signed out meanwhile, or not reached (again in so many ms). */
export type DraftAnswer =
  | SaveDraftResult
  | { ok: false; reason: 'signed_out' }
  | { ok: false; reason: 'unreached'; againMs: number };

const AGAIN_MS = 4_000;
const SLOW_MS = 20_000;

/** Saves a draft on the server. Whatever happens on the way is an answer too. */
export async function sendDraft(call: DraftCall, leaving = false): Promise<DraftAnswer> {
  try {
    const response = await fetch(paths.listingDraft(), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(call),
      // Goes on when the page is gone.
      keepalive: leaving,
      signal: leaving ? null : AbortSignal.timeout(SLOW_MS),
    });
    if (response.ok || response.status === 409 || response.status === 410)
      return (await response.json()) as SaveDraftResult;
    if (response.status === 401) return { ok: false, reason: 'signed_out' };
    if (response.status === 404) return { ok: false, reason: 'gone' };
    const seconds = Number(response.headers.get('retry-after'));
    return { ok: false, reason: 'unreached', againMs: seconds > 0 ? seconds * 1_000 : AGAIN_MS };
  } catch {
    return { ok: false, reason: 'unreached', againMs: AGAIN_MS };
  }
}

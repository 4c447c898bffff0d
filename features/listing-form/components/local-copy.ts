import { type ListingForm, sanitizeForm } from '../form.ts';

/** Form changes not yet saved on the server, kept in localStorage. */
export interface LocalCopy {
  draftId: string;
  version: number;
  /** the form as last saved on the server */
  synced: ListingForm;
  form: ListingForm;
}

/** Storage key per user and listing, so that users sharing a browser never see each other's copy. */
export const localCopyKey = (userId: string, propertyId: string | null): string =>
  `acre-listing:${userId}:${propertyId ?? 'new'}`;

export function readLocalCopy(name: string): LocalCopy | null {
  try {
    const stored = JSON.parse(localStorage.getItem(name) ?? 'null') as Partial<LocalCopy> | null;
    if (!stored || typeof stored.draftId !== 'string' || typeof stored.version !== 'number') return null;
    const { draftId, version } = stored;
    return { draftId, version, synced: sanitizeForm(stored.synced), form: sanitizeForm(stored.form) };
  } catch {
    return null;
  }
}

export function writeLocalCopy(name: string, copy: LocalCopy | null): void {
  try {
    if (copy) localStorage.setItem(name, JSON.stringify(copy));
    else localStorage.removeItem(name);
  } catch {
    // Storage may be full or disabled; the server's draft is then the only copy.
  }
}

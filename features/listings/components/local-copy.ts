import { type ListingForm, readForm } from '../listing-form.ts';

/** What was typed and has not reached the server yet, as this browser keeps it. */
export interface LocalCopy {
  draftId: string;
  version: number;
  /** what the server had when it was typed */
  synced: ListingForm;
  form: ListingForm;
}

/** Whose form, and of what; another person at the same browser never meets it. */
export const copyName = (userId: string, propertyId: string | null): string =>
  `acre-listing:${userId}:${propertyId ?? 'new'}`;

export function readCopy(name: string): LocalCopy | null {
  try {
    const kept = JSON.parse(localStorage.getItem(name) ?? 'null') as Partial<LocalCopy> | null;
    if (!kept || typeof kept.draftId !== 'string' || typeof kept.version !== 'number') return null;
    const { draftId, version } = kept;
    return { draftId, version, synced: readForm(kept.synced), form: readForm(kept.form) };
  } catch {
    return null;
  }
}

export function writeCopy(name: string, copy: LocalCopy | null): void {
  try {
    if (copy) localStorage.setItem(name, JSON.stringify(copy));
    else localStorage.removeItem(name);
  } catch {
    // Storage may be full or switched off; the server's draft is then the only one.
  }
}

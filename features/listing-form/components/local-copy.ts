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

export const readLocalCopy = (name: string): LocalCopy | null => read(() => localStorage, name);
export const writeLocalCopy = (name: string, copy: LocalCopy | null): void =>
  write(() => localStorage, name, copy);

/** What this tab saved last, and when; it outlives a reload that was answered before the save was. */
interface LastSave extends LocalCopy {
  /** Unix time in milliseconds */
  at: number;
}

export function readLastSave(name: string): LastSave | null {
  const copy: (LocalCopy & { at?: unknown }) | null = read(() => sessionStorage, name);
  return copy && typeof copy.at === 'number' ? { ...copy, at: copy.at } : null;
}
export const writeLastSave = (name: string, save: LastSave | null): void =>
  write(() => sessionStorage, name, save);

function read(storage: () => Storage, name: string): (LocalCopy & { at?: unknown }) | null {
  try {
    const stored = JSON.parse(storage().getItem(name) ?? 'null') as Partial<LastSave> | null;
    if (!stored || typeof stored.draftId !== 'string' || typeof stored.version !== 'number') return null;
    const { draftId, version, at } = stored;
    return { draftId, version, at, synced: sanitizeForm(stored.synced), form: sanitizeForm(stored.form) };
  } catch {
    return null;
  }
}

function write(storage: () => Storage, name: string, copy: LocalCopy | null): void {
  try {
    if (copy) storage().setItem(name, JSON.stringify(copy));
    else storage().removeItem(name);
  } catch {
    // Storage may be full or disabled; the server's draft is then the only copy.
  }
}

/** A text that was sent and is not known to have arrived. */
export interface Unsent {
  key: string;
  text: string;
}
interface Kept {
  draft: string;
  unsent: Unsent[];
}

const name = (inquiryId: string) => `acre-thread:${inquiryId}`;
const nothing: Kept = { draft: '', unsent: [] };

function kept(inquiryId: string): Kept {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(name(inquiryId)) ?? 'null');
    if (typeof value !== 'object' || value === null) return nothing;
    const { draft, unsent } = value as Partial<Record<keyof Kept, unknown>>;
    return {
      draft: typeof draft === 'string' ? draft : '',
      unsent: Array.isArray(unsent) ? unsent.filter(isUnsent) : [],
    };
  } catch {
    // Storage is switched off, or holds what we did not write.
    return nothing;
  }
}

function keep(inquiryId: string, value: Kept): void {
  try {
    if (value.draft || value.unsent.length > 0) localStorage.setItem(name(inquiryId), JSON.stringify(value));
    else localStorage.removeItem(name(inquiryId));
  } catch {
    // Storage may be switched off or full; the text then lives as long as the page.
  }
}

const isUnsent = (value: unknown): value is Unsent =>
  typeof value === 'object' &&
  value !== null &&
  'key' in value &&
  'text' in value &&
  typeof value.key === 'string' &&
  typeof value.text === 'string';

/** The text that is being written in a conversation; every tab of this browser goes on with it (B-064). */
export const readDraft = (inquiryId: string): string => kept(inquiryId).draft;
export const writeDraft = (inquiryId: string, draft: string): void =>
  keep(inquiryId, { ...kept(inquiryId), draft });

/** What was sent and has not arrived outlives the page: it is found again with its key. */
export const readUnsent = (inquiryId: string): Unsent[] => kept(inquiryId).unsent;
export function addUnsent(inquiryId: string, one: Unsent): void {
  const all = kept(inquiryId);
  keep(inquiryId, { ...all, unsent: [...all.unsent.filter(({ key }) => key !== one.key), one] });
}
export function dropUnsent(inquiryId: string, keys: ReadonlySet<string | null>): void {
  const all = kept(inquiryId);
  const left = all.unsent.filter(({ key }) => !keys.has(key));
  if (left.length < all.unsent.length) keep(inquiryId, { ...all, unsent: left });
}

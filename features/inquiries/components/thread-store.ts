/** A message that was sent but is not known to be delivered. */
export interface UnsentMessage {
  key: string;
  text: string;
}
interface StoredThread {
  draft: string;
  unsent: UnsentMessage[];
}

const storageKey = (inquiryId: string) => `acre-thread:${inquiryId}`;
const emptyThread: StoredThread = { draft: '', unsent: [] };

function readStored(inquiryId: string): StoredThread {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(storageKey(inquiryId)) ?? 'null');
    if (typeof value !== 'object' || value === null) return emptyThread;
    const { draft, unsent }: Partial<Record<keyof StoredThread, unknown>> = value;
    return {
      draft: typeof draft === 'string' ? draft : '',
      unsent: Array.isArray(unsent) ? unsent.filter(isUnsentMessage) : [],
    };
  } catch {
    // Storage is disabled, or holds invalid data.
    return emptyThread;
  }
}

function writeStored(inquiryId: string, value: StoredThread): void {
  try {
    if (value.draft || value.unsent.length > 0)
      localStorage.setItem(storageKey(inquiryId), JSON.stringify(value));
    else localStorage.removeItem(storageKey(inquiryId));
  } catch {
    // Storage may be disabled or full; the text then lasts as long as the page.
  }
}

const isUnsentMessage = (value: unknown): value is UnsentMessage =>
  typeof value === 'object' &&
  value !== null &&
  'key' in value &&
  'text' in value &&
  typeof value.key === 'string' &&
  typeof value.text === 'string';

/** The draft of a conversation, shared by all tabs of this browser. */
export const readDraft = (inquiryId: string): string => readStored(inquiryId).draft;
export const writeDraft = (inquiryId: string, draft: string): void =>
  writeStored(inquiryId, { ...readStored(inquiryId), draft });

/** Undelivered messages survive a reload and keep their idempotency key. */
export const readUnsent = (inquiryId: string): UnsentMessage[] => readStored(inquiryId).unsent;
export function addUnsent(inquiryId: string, one: UnsentMessage): void {
  const all = readStored(inquiryId);
  writeStored(inquiryId, { ...all, unsent: [...all.unsent.filter(({ key }) => key !== one.key), one] });
}
export function removeUnsent(inquiryId: string, keys: ReadonlySet<string | null>): void {
  const all = readStored(inquiryId);
  const left = all.unsent.filter(({ key }) => !keys.has(key));
  if (left.length < all.unsent.length) writeStored(inquiryId, { ...all, unsent: left });
}

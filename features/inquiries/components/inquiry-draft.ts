const storageKey = (propertyId: string) => `acre-inquiry:${propertyId}`;

/** The draft inquiry of this tab; survives signing in and a reload. */
export function readDraft(propertyId: string): string {
  try {
    return sessionStorage.getItem(storageKey(propertyId)) ?? '';
  } catch {
    return '';
  }
}

export function writeDraft(propertyId: string, text: string): void {
  try {
    if (text) sessionStorage.setItem(storageKey(propertyId), text);
    else sessionStorage.removeItem(storageKey(propertyId));
  } catch {
    // Storage may be disabled; the draft then lasts as long as the page.
  }
}

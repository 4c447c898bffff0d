const name = (propertyId: string) => `acre-inquiry:${propertyId}`;

/** The text that was being written to this seller in this tab; survives signing in and a reload. */
export function readDraft(propertyId: string): string {
  try {
    return sessionStorage.getItem(name(propertyId)) ?? '';
  } catch {
    return '';
  }
}

export function writeDraft(propertyId: string, text: string): void {
  try {
    if (text) sessionStorage.setItem(name(propertyId), text);
    else sessionStorage.removeItem(name(propertyId));
  } catch {
    // Storage may be switched off; the text then lives as long as the page.
  }
}

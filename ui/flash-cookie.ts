/** The cookie in which a toast survives a redirect. */
export const FLASH_COOKIE = 'acre-flash';

/** Removes the cookie in the browser, under the names that it has over http and https. */
export function clearFlashCookie(): void {
  for (const cookie of [`${FLASH_COOKIE}=`, `__Host-${FLASH_COOKIE}=; Secure`]) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere yet
    document.cookie = `${cookie}; Path=/; Max-Age=0`;
  }
}

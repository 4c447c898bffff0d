/** Remembers for 7 days that the sidebar is collapsed; no personal data (B-021). */
export const SIDEBAR_COOKIE = 'acre-sidebar';
const SEVEN_DAYS_S = 7 * 24 * 60 * 60;

/** Whether a `Cookie` header says collapsed. */
export function sidebarCollapsed(cookieHeader: string | null | undefined): boolean {
  return (cookieHeader ?? '').split(/;\s*/).includes(`${SIDEBAR_COOKIE}=collapsed`);
}

/** What `document.cookie` is set to. */
export function sidebarCookie(collapsed: boolean): string {
  return `${SIDEBAR_COOKIE}=${collapsed ? 'collapsed' : 'open'}; Path=/admin; Max-Age=${SEVEN_DAYS_S}; SameSite=Lax`;
}

/** Whether keys typed here are text: then shortcuts stay silent (B-021). */
export function isEditable(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches('input, textarea, select');
}

import { DAY, SECOND } from '#platform/durations.ts';

/** Remembers for 7 days that the sidebar is collapsed; no personal data. */
const SIDEBAR_COOKIE = 'acre-sidebar';
const SEVEN_DAYS_S = (7 * DAY) / SECOND;

/** Whether a `Cookie` header says collapsed. */
export function sidebarCollapsed(cookieHeader: string | null | undefined): boolean {
  return (cookieHeader ?? '').split(/;\s*/).includes(`${SIDEBAR_COOKIE}=collapsed`);
}

/** What `document.cookie` is set to. */
export function sidebarCookie(collapsed: boolean): string {
  return `${SIDEBAR_COOKIE}=${collapsed ? 'collapsed' : 'open'}; Path=/admin; Max-Age=${SEVEN_DAYS_S}; SameSite=Lax`;
}

/** Whether the target is a text field, where shortcuts must not fire. */
export function isEditable(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches('input, textarea, select');
}

/** Where the choice is kept; without one the system decides (B-022). */
export const THEME_KEY = 'acre-theme';

/**
 * Runs before the first paint: sets the class `dark` from the stored choice, else from the system, and the class `js`
 * that shows the controls which need scripts. Constant, so that the Content-Security-Policy can allow it by its hash.
 * `<html>` needs `suppressHydrationWarning`, because the classes are not the server's.
 */
export const THEME_SCRIPT = `(()=>{var c=document.documentElement.classList,t=null;c.add('js');try{t=localStorage.getItem('${THEME_KEY}')}catch(e){}if(t==='dark'||(t!=='light'&&matchMedia('(prefers-color-scheme: dark)').matches))c.add('dark')})()`;

const stored = (): string | null => {
  try {
    return localStorage.getItem(THEME_KEY);
  } catch {
    // Storage is closed to us (private mode, blocked cookies): the system decides.
    return null;
  }
};

/** Sets the class from the stored choice, else from the system. */
export function applyTheme(): void {
  const choice = stored();
  const dark = choice ? choice === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.classList.toggle('dark', dark);
}

/** Turns to the other theme and keeps the choice. */
export function switchTheme(): void {
  const dark = !document.documentElement.classList.contains('dark');
  document.documentElement.classList.toggle('dark', dark);
  try {
    localStorage.setItem(THEME_KEY, dark ? 'dark' : 'light');
  } catch {
    // Storage is closed to us: the choice holds for this page only.
  }
}

/** Follows the system while nothing is chosen, and a choice made in another tab. Returns the way to stop. */
export function followTheme(): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const fromOtherTab = (event: StorageEvent) => {
    if (event.key === THEME_KEY) applyTheme();
  };
  system.addEventListener('change', applyTheme);
  addEventListener('storage', fromOtherTab);
  return () => {
    system.removeEventListener('change', applyTheme);
    removeEventListener('storage', fromOtherTab);
  };
}

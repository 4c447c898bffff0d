/** Local storage key of the chosen theme; without a choice the system setting applies. */
export const THEME_KEY = 'acre-theme';

/**
 * Runs before the first paint: sets the class `dark` from the stored choice, else from the system, and the class `js`
 * that shows the controls which need scripts. Constant, so that the Content-Security-Policy can allow it by its hash.
 * `<html>` needs `suppressHydrationWarning`, because the classes are not the server's.
 */
export const THEME_SCRIPT = `(()=>{var c=document.documentElement.classList,t=null;c.add('js');try{t=localStorage.getItem('${THEME_KEY}')}catch(e){}if(t==='dark'||(t!=='light'&&matchMedia('(prefers-color-scheme: dark)').matches))c.add('dark')})()`;

/** Switches to the other theme and saves the choice. */
export function switchTheme(): void {
  const dark = !document.documentElement.classList.contains('dark');
  document.documentElement.classList.toggle('dark', dark);
  try {
    localStorage.setItem(THEME_KEY, dark ? 'dark' : 'light');
  } catch {
    // Storage is not available: the choice lasts for this page only.
  }
}

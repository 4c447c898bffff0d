import { useSite } from '#app/site.ts';
import { loadedLater } from '#ui/loaded-later.tsx';

const Notice = loadedLater(async () => (await import('#ui/notice.tsx')).Notice);

/** Says that the page is shown as to a visitor because it could not be read who is signed in. */
export function SessionNotice() {
  if (!useSite()?.sessionUnknown) return null;
  return (
    <div className="area-notice">
      <Notice tone="warn" title="We could not check who is signed in">
        You are not signed out. Please reload this page in a moment.
      </Notice>
    </div>
  );
}

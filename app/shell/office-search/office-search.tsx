import './office-search.css';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Dialog } from '#ui/dialog.tsx';
import { Icon } from '#ui/icon.tsx';
import type { LinkTo } from './destination.ts';
import { SearchBox } from './search-box.tsx';

/** The search of the back office: a button in the top bar, Ctrl+K or ⌘K, and the dialog that they open. */
export function OfficeSearch({ linkTo }: { linkTo: LinkTo }) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      if (!isShortcut || event.altKey || event.shiftKey) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        className="office-search needs-js"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        <Icon of={Search} />
        <span className="vh">Search everything</span>
        <span aria-hidden="true">Search</span>
        <span className="office-search-key" aria-hidden="true">
          Ctrl K
        </span>
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Search" wide>
        {open && <SearchBox linkTo={linkTo} onDone={() => setOpen(false)} />}
      </Dialog>
    </>
  );
}

import type { ReactNode } from 'react';
import { sellerPaths } from '#routing/seller-paths.ts';
import { Spinner } from '#ui/spinner.tsx';
import { useSlowPath } from './slow-path.ts';

const labels: Readonly<Record<string, string>> = {
  [sellerPaths.properties()]: 'Loading properties...',
  [sellerPaths.transactions()]: 'Loading transactions...',
};

/** The page of an area. While the next one is checked and loaded for noticeably long, a spinner takes its place. */
export function AreaContent({ children }: { children: ReactNode }) {
  const slowPath = useSlowPath();
  return (
    <>
      <div className={slowPath === null ? 'contents' : 'hidden'}>{children}</div>
      {slowPath !== null && <PendingArea path={slowPath} />}
    </>
  );
}

/** Shown while it is checked whether the page at `path` may be seen, and while it is loaded. */
export function PendingArea({ path }: { path: string }) {
  const label = labels[path];
  return (
    <p className="area-pending" role="status">
      <Spinner large />
      {label ?? <span className="vh">Loading...</span>}
    </p>
  );
}

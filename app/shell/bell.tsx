import { lazy, Suspense } from 'react';
import type { BellProps } from './bell-button.tsx';

const forever = new Promise<never>(() => undefined);

// Most visitors of public pages are not signed in, and their browsers need not load it. Where it cannot be loaded, the link
// that the server rendered stays.
const BellButton = lazy(() => import('./bell-button.tsx').catch(() => forever));

/** The bell of a signed-in viewer, whose code is loaded after the page's. */
export function Bell(props: BellProps) {
  return (
    <Suspense>
      <BellButton {...props} />
    </Suspense>
  );
}

import { useEffect } from 'react';
import { preloadParts } from '#app/pages/listings/property-parts.ts';
import { paths } from '#routing/paths.ts';
import { PageHead } from '#ui/page-head.tsx';
import { CardGridSkeleton, DetailSkeleton, TextSkeleton } from '#ui/skeleton.tsx';
import { PendingArea } from './area-content.tsx';
import { isGuarded } from './pending-path.ts';

/** The skeleton of the public page at `path` while it is loading, or a spinner for a page of an account. */
export function PendingPage({ path }: { path: string }) {
  if (path === paths.buyerActivity())
    return (
      <div role="status">
        <PageHead title="My Activity" />
        <span className="vh">Loading your activity...</span>
        <TextSkeleton rows={8} />
      </div>
    );
  if (isGuarded(path)) return <PendingArea path={path} />;
  return (
    <div className="waiting">
      {path.startsWith('/property/') ? <PendingProperty /> : <CardGridSkeleton />}
    </div>
  );
}

function PendingProperty() {
  useEffect(() => void preloadParts(), []);
  return <DetailSkeleton />;
}

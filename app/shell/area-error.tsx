import { useSite } from '#app/site.ts';
import { ErrorPage } from './error-page.tsx';
import { isNotAvailable, NotAvailable } from './not-available.tsx';

/** What an area shows instead of a page that failed, or that the account's role may not open. */
export function AreaError({ error }: { error: unknown }) {
  const site = useSite();
  return isNotAvailable(error) ? (
    <NotAvailable />
  ) : (
    <ErrorPage error={error} correlationId={site?.requestId} />
  );
}

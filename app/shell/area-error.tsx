import { ErrorPage } from './error-page.tsx';
import { isNotAvailable, NotAvailable } from './not-available.tsx';

/** What an area shows instead of a page that failed, or that the account's role may not open. */
export const AreaError = ({ error }: { error: unknown }) =>
  isNotAvailable(error) ? <NotAvailable /> : <ErrorPage error={error} />;

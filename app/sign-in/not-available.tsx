import { isRouteErrorResponse } from 'react-router';
import { texts } from '#features/accounts/rules.ts';

/** True for the refusal of a guard: someone is signed in, with another role. */
export const isNotAvailable = (error: unknown): boolean =>
  isRouteErrorResponse(error) && error.status === 403;

/** All there is of a page that is not for this account: a word for those who cannot see that it is empty (B-011). */
export function NotAvailable() {
  return (
    <div role="status" className="vh">
      <h1>{texts.notAvailable}</h1>
    </div>
  );
}

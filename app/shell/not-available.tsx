import { isRouteErrorResponse } from 'react-router';
import { accountMessages } from '#features/accounts/rules.ts';

/** True for a guard's refusal: the user is signed in with another role. */
export const isNotAvailable = (error: unknown): boolean =>
  isRouteErrorResponse(error) && error.status === 403;

/** A page that this account may not see stays empty, except for a message to screen readers. */
export function NotAvailable() {
  return (
    <div role="status" className="vh">
      <h1>{accountMessages.notAvailable}</h1>
    </div>
  );
}

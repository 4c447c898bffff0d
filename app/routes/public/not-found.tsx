import { data } from 'react-router';
import { getScope } from '#app/request.ts';
import type { Route } from './+types/not-found';

/** Any unknown URL, and every error outside of a page: the layout's error boundary shows the error page. */
export function loader({ context }: Route.LoaderArgs) {
  const { fault } = getScope(context);
  if (!fault) throw data(null, { status: 404, statusText: 'Page Not Found' });
  const { status, statusText, message, reference } = fault;
  throw data({ message, reference }, { status, statusText });
}

export default function NotFound() {
  return null;
}

import { data } from 'react-router';

/** Any unknown URL below /admin: the layout's error boundary shows the 404 page without the public navigation. */
export function loader() {
  throw data(null, { status: 404, statusText: 'Page Not Found' });
}

export default function NotFound() {
  return null;
}

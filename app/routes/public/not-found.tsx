import { data } from 'react-router';

/** Any unknown URL: the layout's error boundary shows the 404 page. */
export function loader() {
  throw data(null, { status: 404, statusText: 'Page Not Found' });
}

export default function NotFound() {
  return null;
}

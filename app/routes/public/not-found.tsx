import { data } from 'react-router';

/** Any address where nothing stands (S0 §2): the frame's boundary shows the 404 page. */
export function loader() {
  throw data(null, { status: 404, statusText: 'Page Not Found' });
}

export default function NotFound() {
  return null;
}

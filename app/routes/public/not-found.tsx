import { data } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
import type { Route } from './+types/not-found';

/** Any address where nothing stands (S0 §2): the frame's boundary shows the 404 page. */
export function loader() {
  throw data(null, { status: 404, statusText: 'Page Not Found' });
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: '404 - Page Not Found', hidden: true });

export default function NotFound() {
  return null;
}

import type { RouteConfigEntry } from '@react-router/dev/routes';
import routes from '#app/routes.ts';

/** An address to open; `:id` is a public property. Or the reason why a page is not weighed. */
type Weighed = string | { excused: string };

const sandbox = { excused: 'stands in for the pages of a provider, in demos alone' };
const signedIn = { excused: 'leads visitors to sign in; of the members’ pages' };

/** How each public page is weighed, by its path in `app/routes.ts`. */
const weighed: Readonly<Record<string, Weighed>> = {
  '/': '/',
  '/properties': '/properties',
  '/property/:id': '/property/:id',
  '/property/:id/report': '/property/:id/report',
  '/property/:id/tour': '/property/:id/tour',
  '/reset-password': '/reset-password',
  '/verify-email': '/verify-email',
  '/account': signedIn,
  '/account/security': signedIn,
  '/account/email': '/account/email?token=none',
  '/sign-in/confirm': '/sign-in/confirm',
  '/unsubscribe': '/unsubscribe',
  '/verify': '/verify',
  '/terms': '/terms',
  '/privacy': '/privacy',
  '/buyer/login': '/buyer/login',
  '/buyer/signup': '/buyer/signup',
  '/receipt/:id': signedIn,
  '/inquiries/:id/file': signedIn,
  '/agent/login': '/agent/login',
  '/agent/register': '/agent/register',
  '/admin': '/admin',
  '/admin/*': { excused: 'a wrong address in the back office, with the frame of its pages' },
  '/*': '/no-such-page',
  '/sandbox/checkout/:ref': sandbox,
  '/sandbox/onboarding/:token': sandbox,
  '/sandbox/account/:token': sandbox,
};

/** Paths of pages below no guard; a route without a component (`.ts`) is no page. */
function publicPaths(entries: readonly RouteConfigEntry[], parent = ''): string[] {
  return entries.flatMap(({ path, index, file, children }) => {
    if (file.endsWith('/guard.tsx')) return [];
    const here = path ? `${parent}/${path}` : parent;
    const own = (index || (path && !children)) && file.endsWith('.tsx') ? [here || '/'] : [];
    return [...own, ...publicPaths(children ?? [], here)];
  });
}

/**
 * The public pages to weigh, and what is wrong with the list of them: pages that are neither weighed nor excused, and entries for
 * pages that there are not.
 */
export function pagesToWeigh(): { pages: { name: string; address: string }[]; problems: string[] } {
  const paths = publicPaths(routes);
  return {
    pages: paths.flatMap((name) => {
      const how = weighed[name];
      return typeof how === 'string' ? [{ name, address: how }] : [];
    }),
    problems: [
      ...paths.filter((path) => !(path in weighed)).map((path) => `${path} is neither weighed nor excused`),
      ...Object.keys(weighed)
        .filter((path) => !paths.includes(path))
        .map((path) => `${path} is no public page`),
    ],
  };
}

import type { RouteConfigEntry } from '@react-router/dev/routes';
import { expect, it } from 'vitest';
import routes from '../routes.ts';
import { hasPendingPage, isGuarded } from './pending-path.ts';

/** The pages of the layouts with or without a role's guard, which are all that a user is checked for. */
const pagesOf = (guarded: boolean): string[] => {
  const of = (entries: readonly RouteConfigEntry[], inGuard: boolean): string[] =>
    entries.flatMap(({ path, file, children = [] }) => [
      ...(path !== undefined && path !== '*' && inGuard === guarded ? [`/${path}`] : []),
      ...of(children, inGuard || /routes\/(?:agent|admin|buyer)\/guard\.tsx$/.test(file)),
    ]);
  // What follows the pages, such as /logout, has no layout and is no page.
  return of(
    routes.filter(({ children }) => children),
    false,
  );
};

it('every page behind the guard of a role shows a spinner while it is checked, and no other one', () => {
  expect(pagesOf(true)).toEqual(expect.arrayContaining(['/buyer/compare', '/agent/tours', '/admin/tasks']));
  expect(pagesOf(true).filter((path) => !isGuarded(path) || !hasPendingPage(path))).toEqual([]);
  expect(pagesOf(false)).toEqual(expect.arrayContaining(['/buyer/login', '/agent/register', '/account']));
  expect(pagesOf(false).filter((path) => isGuarded(path) && path !== '/admin/*')).toEqual([]);
});

import { type LoginQuery, queryString } from './paths.ts';

/** The URLs of second factors, apart from `paths`, which all public pages load. */
export const signInPaths = {
  /** where second factors are managed: `add` opens the set-up of one, `next` is where to go on afterwards */
  security: (query: { add?: 'app' | undefined; next?: string | undefined } = {}) =>
    `/account/security${queryString(query)}`,
  /** the second step of signing in, and signing in with a passkey alone */
  step: (query: { role?: string | undefined } & LoginQuery = {}) =>
    `/sign-in/confirm${queryString({ ...query })}`,
} as const;

import { type LoginQuery, queryString } from './paths.ts';

/** The URLs of passwords, confirmed addresses and second factors, apart from `paths`, which all public pages load. */
export const signInPaths = {
  /** `role`: whose sign-in page sends another link when this one is of no use anymore */
  resetPassword: (
    query: {
      token?: string | undefined;
      done?: string | undefined;
      forced?: 1 | undefined;
      role?: string | undefined;
    } = {},
  ) => `/reset-password${queryString(query)}`,
  /** where the link leads that is mailed to an account's new address */
  confirmEmailChange: (query: { token?: string | undefined } = {}) => `/account/email${queryString(query)}`,
  verifyEmail: (query: { token?: string | undefined; next?: string | undefined } = {}) =>
    `/verify-email${queryString(query)}`,
  /** where second factors are managed: `add` opens the set-up of one, `next` is where to go on afterwards */
  security: (query: { add?: 'app' | undefined; next?: string | undefined } = {}) =>
    `/account/security${queryString(query)}`,
  /** the second step of signing in, and signing in with a passkey alone */
  step: (query: { role?: string | undefined } & LoginQuery = {}) =>
    `/sign-in/confirm${queryString({ ...query })}`,
} as const;

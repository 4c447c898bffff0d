import { queryString } from './paths.ts';

interface PolicyQuery {
  /** an earlier version */
  version?: number;
}

/** The URLs of the terms and the privacy policy, apart from `paths`: pages get their links to them from the server. */
export const policyPaths = {
  terms: (query: PolicyQuery = {}) => `/terms${queryString({ ...query })}`,
  privacy: (query: PolicyQuery = {}) => `/privacy${queryString({ ...query })}`,
} as const;

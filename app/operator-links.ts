import { policyKinds, policyTitles } from '#features/policies/model.ts';
import { policyPaths } from '#routing/policy-paths.ts';
import { verifyPaths } from '#routing/verify-paths.ts';
import type { Site } from './site.ts';

/** The links of the footer to what the operator has to say, and to the check of documents; the server makes them, so that no page loads code for them. */
export const operatorLinks = (support: string | null): Site['operator'] => [
  ...policyKinds.map((kind) => ({ href: policyPaths[kind](), label: policyTitles[kind] })),
  { href: verifyPaths.verify(), label: 'Verify a Document' },
  ...(support === null ? [] : [{ href: `mailto:${support}`, label: support }]),
];

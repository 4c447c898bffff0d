import { policyKinds, policyTitles } from '#features/policies/model.ts';
import { policyPaths } from '#routing/policy-paths.ts';
import type { Site } from './site.ts';

/** The links of the footer to what the operator has to say; the server makes them, so that no page loads code for them. */
export const operatorLinks = (support: string | null): Site['operator'] => [
  ...policyKinds.map((kind) => ({ href: policyPaths[kind](), label: policyTitles[kind] })),
  ...(support === null ? [] : [{ href: `mailto:${support}`, label: support }]),
];

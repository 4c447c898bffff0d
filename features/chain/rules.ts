import { hasRole, nobody } from '#platform/access.ts';

/** Administrators have documents registered on the chain, and look after its contract. */
export const mayManageChain = hasRole('admin');
/** Buyers take tokens of their own purchases out of custody; whose a token is, is decided with its sale. */
export const mayClaimTokens = hasRole('buyer');
/** Writing to the chain is done by a job only. */
export const mayWorkChain = nobody;

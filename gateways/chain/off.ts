import { type Chain, ChainError } from './port.ts';

/** No chain: everything that asks it fails with the reason, 'Chain not configured' by default. */
export function noChain(reason = 'Chain not configured'): Chain {
  const none = async (): Promise<never> => {
    throw new ChainError('not_configured', reason);
  };
  return {
    missing: reason,
    network: 'none',
    chainId: 0,
    local: false,
    confirmations: 1,
    mayManage: false,
    feeCeiling: null,
    signer: '0x0000000000000000000000000000000000000000',
    check: none,
    head: none,
    blockHash: none,
    balance: none,
    nonces: none,
    finalNonce: none,
    fees: none,
    prepare: none,
    sign: none,
    broadcast: none,
    receipt: none,
    contractState: none,
    roleHolders: none,
    hasCode: none,
    anchoredAt: none,
    tokenOf: none,
    ownerOf: none,
    tokenUri: none,
    findOrigin: none,
    close: async () => undefined,
  };
}

import { networkOf } from '#gateways/chain/networks.ts';
import type { Ctx } from '#platform/context.ts';
import { CHAIN_NOT_CONFIGURED } from './model.ts';

/** The network that is configured, or null. */
export const configuredNetwork = ({ config }: Pick<Ctx, 'config'>): string | null =>
  config.chain ? networkOf(config.chain.chainId).name : null;

/** Why something that is queued waits, or null. */
export const reasonToWait = (network: string | null): string | null =>
  network ? null : CHAIN_NOT_CONFIGURED;

import { configuredNetwork } from '#features/chain/configured-network.ts';
import { networkNamed } from '#gateways/chain/networks.ts';
import { NameServiceError } from '#gateways/names/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize, authorizedUser } from '#platform/access.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { nftLimits } from './limits.ts';
import type { NamedRecipient, NftNetwork } from './model.ts';
import { mayCreateNfts, nftMessages } from './rules.ts';

/**
 * On which network tokens are made, and whether recipients can be named.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export function nftNetwork(ctx: CtxWith<'names'>): NftNetwork {
  authorize(ctx, mayCreateNfts);
  const network = configuredNetwork(ctx);
  return {
    network: network && (networkNamed(network)?.label ?? network),
    nameSuffix: ctx.names.suffix,
  };
}

/**
 * The wallet of a recipient who was named, to be confirmed before a token is made for it; null for what is no name here, such as an
 * address.
 * @throws Unauthenticated, Forbidden for everyone but administrators; TooManyRequests
 */
export async function namedRecipient(ctx: CtxWith<'names'>, typed: string): Promise<NamedRecipient | null> {
  const user = authorizedUser(ctx, mayCreateNfts);
  const { suffix } = ctx.names;
  const name = typed.trim();
  if (suffix === null || !name.includes('.')) return null;
  await takeTokens(ctx, nftLimits.resolve, `user:${user.id}`);
  try {
    const address = await ctx.names.resolve(name);
    return address ? { ok: true, name, address } : { ok: false, text: nftMessages.unknownName(suffix) };
  } catch (error) {
    if (!(error instanceof NameServiceError)) throw error;
    ctx.log.warn({ err: error }, 'a name of a wallet could not be looked up');
    return { ok: false, text: nftMessages.nameService };
  }
}

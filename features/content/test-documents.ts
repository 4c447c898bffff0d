import { networkOf } from '#gateways/chain/networks.ts';
import type { Config } from '#platform/config.ts';
import { contentMessages } from './rules.ts';

/**
 * Why no test documents are published here, or null: next to a main network never, since whoever reads its documents takes each for a real
 * one; next to a test network unless they are switched off.
 */
export function testsRefusal({ content, chain }: Pick<Config, 'content' | 'chain'>): string | null {
  const network = chain && networkOf(chain.chainId);
  if (network && !network.test) return contentMessages.testsOnMain(network.label);
  return (content.testDocuments ?? network !== undefined) ? null : contentMessages.testsOff;
}

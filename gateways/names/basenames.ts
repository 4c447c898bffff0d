import { createPublicClient, getAddress, http, namehash, parseAbi, zeroAddress } from 'viem';
import { normalize } from 'viem/ens';
import { SECOND } from '#platform/durations.ts';
import { type NameService, NameServiceError } from './port.ts';

/** The registries of Basenames by chain id, as their project publishes them, and what their names end with. */
const registries: Readonly<Record<number, { address: `0x${string}`; suffix: string }>> = {
  8453: { address: '0xb94704422c2a1e396835a571837aa5ae53285a95', suffix: '.base.eth' },
  84532: { address: '0x1493b2567056c2181630115660963E13A8E32735', suffix: '.basetest.eth' },
};

const registryAbi = parseAbi(['function resolver(bytes32 node) view returns (address)']);
const resolverAbi = parseAbi(['function addr(bytes32 node) view returns (address)']);
const TIMEOUT_MS = 5 * SECOND;

/** Whether a chain has names. */
export const hasNames = (chainId: number): boolean => chainId in registries;

/** The names of Base, or of its test network, read from their contracts through a node of that chain. */
export function basenames({ chainId, rpcUrl }: { chainId: number; rpcUrl: string }): NameService {
  const registry = registries[chainId];
  if (!registry) throw new RangeError(`Chain ${chainId} has no names`);
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: TIMEOUT_MS, retryCount: 0 }) });
  const { address, suffix } = registry;
  return {
    suffix,
    async resolve(name) {
      const node = nodeOf(name, suffix);
      if (node === null) return null;
      try {
        if ((await client.getChainId()) !== chainId) throw new Error('The node is one of another chain');
        const resolver = await client.readContract({
          address,
          abi: registryAbi,
          functionName: 'resolver',
          args: [node],
        });
        if (resolver === zeroAddress) return null;
        const owner = await client.readContract({
          address: resolver,
          abi: resolverAbi,
          functionName: 'addr',
          args: [node],
        });
        return owner === zeroAddress ? null : getAddress(owner);
      } catch (cause) {
        // Its message holds the address of the node, which may contain a key.
        throw new NameServiceError('The name service is not responding', { cause });
      }
    },
  };
}

/** The hash of a name, or null for what cannot be one. Names that look alike are written in one way first. */
function nodeOf(name: string, suffix: string): `0x${string}` | null {
  try {
    const normal = normalize(name.trim());
    return normal.endsWith(suffix) && normal.length > suffix.length ? namehash(normal) : null;
  } catch {
    return null;
  }
}

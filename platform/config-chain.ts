import { z } from 'zod';
import { flag, url } from './config-types.ts';
import { InvalidEnvironment } from './invalid-environment.ts';

/** A chain on this machine, started with the server, or one that is reached by RPC. */
export interface ChainConfig {
  kind: 'local' | 'rpc';
  chainId: number;
  rpcUrl: string | undefined;
  /** the private key that signs; on this machine that of the chain's first account */
  signerKey: string | undefined;
  /** blocks, with that of the transaction, after which it counts as final */
  confirmations: number;
  /** the most that a transaction offers for each unit of gas, in gwei; null for no limit */
  maxFeeGwei: number | null;
  /** whether contracts of a main network may be deployed, paused and changed from here */
  mainnetWrites: boolean;
}

/** The variables of the chain. */
export const chainVariables = {
  CHAIN: z.enum(['local', 'rpc', 'off'], 'expected local, rpc or off').optional(),
  CHAIN_RPC_URL: url(['http:', 'https:'], 'expected an address such as https://mainnet.base.org').optional(),
  CHAIN_ID: z.coerce.number('expected a number such as 8453').int().min(1).optional(),
  CHAIN_SIGNER_KEY: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, 'expected 0x and 64 hexadecimal digits')
    .optional(),
  CHAIN_CONFIRMATIONS: z.coerce.number('expected a number of blocks').int().min(1).max(1000).optional(),
  CHAIN_MAX_FEE_GWEI: z.coerce
    .number('expected a number of gwei such as 10')
    .positive('expected a number of gwei such as 10')
    .max(100_000)
    .optional(),
  CHAIN_MAINNET_WRITES: flag.default('off'),
};

const environment = z.object(chainVariables);
type ChainEnvironment = z.infer<typeof environment>;

/** The id of a chain on this machine. */
const LOCAL_CHAIN_ID = 31_337;
/** Blocks until a transaction is final: a chain on this machine, and others, unless CHAIN_CONFIRMATIONS says so. */
const CONFIRMATIONS = { local: 1, rpc: 10 };
/** What a transaction offers at most, unless CHAIN_MAX_FEE_GWEI says so: far more than Base asks for, and a token costs a few dollars. */
const MAX_FEE_GWEI = 10;

/**
 * The chain: that of CHAIN, by default one on this machine in the demo, and none elsewhere.
 * @throws InvalidEnvironment for what does not fit together
 */
export function chainOf(
  env: ChainEnvironment,
  { production, demo }: { production: boolean; demo: boolean },
): ChainConfig | undefined {
  const kind = env.CHAIN ?? (demo ? 'local' : 'off');
  if (kind === 'off') return undefined;
  const confirmations = env.CHAIN_CONFIRMATIONS ?? CONFIRMATIONS[kind];
  if (kind === 'local') {
    if (production && !demo)
      throw new InvalidEnvironment('CHAIN: local is refused in production unless DEMO=on');
    return {
      kind,
      chainId: LOCAL_CHAIN_ID,
      rpcUrl: undefined,
      signerKey: undefined,
      confirmations,
      // Its money is worth nothing.
      maxFeeGwei: null,
      mainnetWrites: false,
    };
  }
  const names = ['CHAIN_RPC_URL', 'CHAIN_ID', 'CHAIN_SIGNER_KEY'] as const;
  const { CHAIN_RPC_URL: rpcUrl, CHAIN_ID: chainId, CHAIN_SIGNER_KEY: signerKey } = env;
  if (rpcUrl === undefined || chainId === undefined || signerKey === undefined) {
    const missing = names.filter((name) => env[name] === undefined);
    throw new InvalidEnvironment(missing.map((name) => `${name}: required with CHAIN=rpc`).join('\n'));
  }
  return {
    kind,
    chainId,
    rpcUrl,
    signerKey,
    confirmations,
    maxFeeGwei: env.CHAIN_MAX_FEE_GWEI ?? MAX_FEE_GWEI,
    mainnetWrites: env.CHAIN_MAINNET_WRITES === 'on',
  };
}

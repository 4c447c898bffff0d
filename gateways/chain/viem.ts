import { setTimeout as pause } from 'node:timers/promises';
import {
  BlockNotFoundError,
  createPublicClient,
  http,
  type PublicClient,
  parseEventLogs,
  TransactionReceiptNotFoundError,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { keccak256 } from 'viem/utils';
import { SECOND } from '#platform/durations.ts';
import { acreRegistryAbi as abi } from './acre-registry.gen.ts';
import { encodeCall } from './calls.ts';
import { networkOf } from './networks.ts';
import { type Chain, ChainError, type ChainReceipt, ChainRefusal, type Fees, type Hex } from './port.ts';
import { translated, wordsOf } from './refusals.ts';

interface ViemOptions {
  chainId: number;
  signerKey: Hex;
  confirmations: number;
  mainnetWrites: boolean;
  /** the most that a transaction may offer for each unit of gas, in wei; no limit unless given */
  feeCeiling?: bigint | null;
  local: boolean;
  /** the node makes a block of each transaction, so that one handed over is waited for, shortly */
  blockForEach: boolean;
  /** the node's address; asked for with every request, because one on this machine gets another with each start */
  rpcUrl: () => Promise<string>;
  close?: () => Promise<void>;
  timeoutMs?: number;
}

const ADMIN_ROLE = `0x${'00'.repeat(32)}` as const;
/** Added to what a call needs in a simulation, in percent: a block in between can change it a little. */
const GAS_MARGIN = 120n;
/** What a call may cost in gas, so that the code of a token's recipient cannot spend the signer's money. */
const MAX_GAS = 6_000_000n;
/** How often, and after how many milliseconds each time, the block of a single transaction is looked for. */
const BLOCK_TRIES = 20;
const BLOCK_MS = 5;
/** What nodes answer to bytes that they have already. */
const KNOWN = /already known|already imported|nonce too low|known transaction/i;

/** A chain by JSON-RPC. */
export function viemChain(options: ViemOptions): Chain {
  const { feeCeiling = null } = options;
  const account = privateKeyToAccount(options.signerKey);
  const { name: network, test } = networkOf(options.chainId);
  const client = clientFor(options);
  const ask = async <Answer>(question: (node: PublicClient) => Promise<Answer>): Promise<Answer> => {
    try {
      return await question(await client());
    } catch (error) {
      throw translated(error);
    }
  };
  const hasRole = (address: Hex, role: Hex, holder: Hex) =>
    ask((node) => node.readContract({ address, abi, functionName: 'hasRole', args: [role, holder] }));
  const minterRole = keccak256(new TextEncoder().encode('MINTER_ROLE'));
  return {
    missing: null,
    network,
    chainId: options.chainId,
    local: options.local,
    confirmations: options.confirmations,
    mayManage: test || options.mainnetWrites,
    feeCeiling,
    signer: account.address,

    async check() {
      const answered = await ask((node) => node.getChainId());
      if (answered !== options.chainId)
        throw new ChainError(
          'wrong_chain',
          `The node is one of chain ${answered}, but CHAIN_ID is ${options.chainId}`,
        );
    },
    async head() {
      const block = await ask((node) => node.getBlock());
      return { number: Number(block.number), hash: block.hash, time: timeOf(block.timestamp) };
    },
    blockHash: async (number) => (await blockAt(ask, BigInt(number)))?.hash ?? null,
    balance: () => ask((node) => node.getBalance({ address: account.address })),
    async nonces() {
      const count = (blockTag: 'latest' | 'pending') =>
        ask((node) => node.getTransactionCount({ address: account.address, blockTag }));
      const [latest, pending] = await Promise.all([count('latest'), count('pending')]);
      return { latest, pending };
    },
    async finalNonce(address) {
      const head = await ask((node) => node.getBlockNumber({ cacheTime: 0 }));
      const blockNumber = head - BigInt(options.confirmations) + 1n;
      if (blockNumber < 0n) return 0;
      return ask((node) => node.getTransactionCount({ address, blockNumber }));
    },
    async fees() {
      const { baseFeePerGas } = await ask((node) => node.getBlock());
      const tip = await ask((node) => node.estimateMaxPriorityFeePerGas());
      const base = baseFeePerGas ?? 0n;
      // Twice the base fee leaves room for it to rise.
      const wanted = base * 2n + tip;
      if (feeCeiling === null || wanted <= feeCeiling)
        return { maxFeePerGas: wanted, maxPriorityFeePerGas: tip };
      if (base + tip > feeCeiling)
        throw new ChainRefusal('fees', 'The chain asks for higher fees than CHAIN_MAX_FEE_GWEI allows');
      return { maxFeePerGas: feeCeiling, maxPriorityFeePerGas: tip };
    },
    async prepare(call, contract, fees) {
      const to = call.kind === 'deploy' ? null : contract;
      const data = encodeCall(call, account.address);
      // Without fees, with which nodes say of an empty account that the call failed; what it can pay is asked below.
      const estimated = await ask((node) => node.estimateGas({ account: account.address, to, data }));
      if (estimated > MAX_GAS) throw new ChainRefusal('reverted', 'The call would use too much gas');
      const gas = (estimated * GAS_MARGIN) / 100n;
      await mustAfford(gas, fees);
      return { to, data, gas: String(gas) };
    },
    async sign(fields) {
      const raw = await account.signTransaction({
        type: 'eip1559',
        chainId: options.chainId,
        to: fields.to,
        data: fields.data,
        nonce: fields.nonce,
        gas: BigInt(fields.gas),
        maxFeePerGas: BigInt(fields.maxFeePerGas),
        maxPriorityFeePerGas: BigInt(fields.maxPriorityFeePerGas),
      });
      return { raw, hash: keccak256(raw), fields };
    },
    async broadcast(raw) {
      try {
        // What the node says the hash is does not count: it is that of the bytes.
        await (await client()).sendRawTransaction({ serializedTransaction: raw });
      } catch (error) {
        if (!KNOWN.test(wordsOf(error))) throw translated(error);
      }
      if (options.blockForEach) await waitForBlock(keccak256(raw));
    },
    receipt: (hash) => readReceipt(ask, hash),

    async contractState(contract) {
      const read = <Name extends 'VERSION' | 'paused' | 'totalMinted' | 'baseURI'>(functionName: Name) =>
        ask((node) => node.readContract({ address: contract, abi, functionName }));
      const has = (role: Hex) => hasRole(contract, role, account.address);
      const [version, paused, minted, baseUri, signerIsOwner, signerIsMinter] = await Promise.all([
        read('VERSION'),
        read('paused'),
        read('totalMinted'),
        read('baseURI'),
        has(ADMIN_ROLE),
        has(minterRole),
      ]);
      return {
        version: Number(version),
        paused,
        totalMinted: Number(minted),
        baseUri,
        signerIsOwner,
        signerIsMinter,
      };
    },
    async roleHolders(contract, fromBlock) {
      // The contract keeps no list of them: whoever was allowed to once is asked for.
      const granted = await ask((node) =>
        node.getContractEvents({
          address: contract,
          abi,
          eventName: 'RoleGranted',
          args: { role: [ADMIN_ROLE, minterRole] },
          fromBlock: BigInt(fromBlock),
        }),
      );
      const holders = async (role: Hex) => {
        const once = granted.flatMap(({ args }) =>
          args.role === role && args.account ? [args.account] : [],
        );
        const accounts = [...new Set(once)];
        const now = await Promise.all(accounts.map((one) => hasRole(contract, role, one)));
        return accounts.filter((_, index) => now[index]);
      };
      const [owners, minters] = await Promise.all([holders(ADMIN_ROLE), holders(minterRole)]);
      return { owners, minters };
    },
    hasCode: async (address) => ((await ask((node) => node.getCode({ address }))) ?? '0x') !== '0x',
    async anchoredAt(address, hash) {
      const time = await ask((node) =>
        node.readContract({ address, abi, functionName: 'anchoredAt', args: [hash] }),
      );
      return time === 0n ? null : timeOf(time);
    },
    async tokenOf(address, key) {
      const id = await ask((node) =>
        node.readContract({ address, abi, functionName: 'tokenOf', args: [key] }),
      );
      return id === 0n ? null : Number(id);
    },
    ownerOf: (address, tokenId) =>
      orNull((node) => node.readContract({ address, abi, functionName: 'ownerOf', args: [BigInt(tokenId)] })),
    tokenUri: (address, tokenId) =>
      orNull((node) =>
        node.readContract({ address, abi, functionName: 'tokenURI', args: [BigInt(tokenId)] }),
      ),
    async findOrigin(address, what, fromBlock) {
      const from = { address, abi, fromBlock: BigInt(fromBlock) };
      const { anchor, mint } = what;
      const logs = anchor
        ? await ask((node) =>
            node.getContractEvents({ ...from, eventName: 'Anchored', args: { hash: anchor } }),
          )
        : await ask((node) => node.getContractEvents({ ...from, eventName: 'Minted', args: { key: mint } }));
      return logs[0]?.transactionHash ?? null;
    },
    close: async () => options.close?.(),
  };

  async function waitForBlock(hash: Hex): Promise<void> {
    for (let tries = 0; tries < BLOCK_TRIES && !(await readReceipt(ask, hash)); tries += 1)
      await pause(BLOCK_MS);
  }

  async function mustAfford(gas: bigint, fees: Fees): Promise<void> {
    const balance = await ask((node) => node.getBalance({ address: account.address }));
    if (balance < gas * fees.maxFeePerGas)
      throw new ChainRefusal('no_funds', 'The signer’s balance does not cover the fees');
  }

  /** What the contract says of a token; null for one that does not exist. */
  async function orNull<Answer>(question: (node: PublicClient) => Promise<Answer>): Promise<Answer | null> {
    try {
      return await ask(question);
    } catch (error) {
      if (error instanceof ChainRefusal) return null;
      throw error;
    }
  }
}

const timeOf = (seconds: bigint) => new Date(Number(seconds) * SECOND);

/** A client for the node's address of now. */
function clientFor({ rpcUrl, timeoutMs = 10 * SECOND }: ViemOptions): () => Promise<PublicClient> {
  let made: { url: string; client: PublicClient } | null = null;
  return async () => {
    const url = await rpcUrl();
    if (made?.url !== url) {
      const transport = http(url, { timeout: timeoutMs, retryCount: 1, batch: { batchSize: 50 } });
      made = { url, client: createPublicClient({ transport, pollingInterval: 250 }) };
    }
    return made.client;
  };
}

type Ask = <Answer>(question: (node: PublicClient) => Promise<Answer>) => Promise<Answer>;

/** The block at a height; null where the node has none. */
const blockAt = (ask: Ask, blockNumber: bigint) =>
  ask((node) =>
    node.getBlock({ blockNumber }).catch((error: unknown) => {
      if (error instanceof BlockNotFoundError) return null;
      throw error;
    }),
  );

async function readReceipt(ask: Ask, hash: Hex): Promise<ChainReceipt | null> {
  const receipt = await ask((node) =>
    node.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return null;
      throw error;
    }),
  );
  if (!receipt) return null;
  // The block of that height: another one means that the receipt is of a branch that was given up, or invented.
  const block = await blockAt(ask, receipt.blockNumber);
  if (
    receipt.transactionHash.toLowerCase() !== hash ||
    block?.hash !== receipt.blockHash ||
    !block.transactions.includes(hash)
  )
    throw new ChainError('contradiction', 'The chain’s node contradicts itself about a transaction');
  const [minted] = parseEventLogs({ abi, logs: receipt.logs, eventName: 'Minted' });
  return {
    hash,
    succeeded: receipt.status === 'success',
    blockNumber: Number(receipt.blockNumber),
    blockHash: receipt.blockHash,
    blockTime: timeOf(block.timestamp),
    gasUsed: receipt.gasUsed,
    tokenId: minted ? Number(minted.args.tokenId) : null,
    contract: receipt.contractAddress ?? null,
  };
}

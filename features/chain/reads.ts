import { sql } from 'kysely';
import { networkNamed, networkOf } from '#gateways/chain/networks.ts';
import { type Chain, ChainError, ChainRefusal, type ContractState, type Hex } from '#gateways/chain/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { anyone, authorize } from '#platform/access.ts';
import { networkOf as addressNetworkOf } from '#platform/http/network-of.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { NoAnswer, within } from '#platform/within.ts';
import { addressLink, transactionLink } from './explorer.ts';
import { chainLimits } from './limits.ts';
import { rootOf } from './merkle.ts';
import { mayManageChain } from './rules.ts';
import { contractOf } from './transaction.ts';

/** What administrators see of the chain; `asked` is null while the node does not answer, and `error` says why. */
export interface ContractStatus {
  /** why there is no chain, or null */
  missing: string | null;
  network: string;
  label: string;
  chainId: number;
  confirmations: number;
  /** whether deploying, pausing and the base address can be done from here */
  mayManage: boolean;
  contract: string | null;
  contractLink: string | null;
  signer: string;
  signerLink: string | null;
  /** transactions that are not final; documents that wait for theirs count as one */
  open: number;
  failed: number;
  /** a signed change of the contract that makes no progress, and keeps everything else waiting; null when there is none */
  stuck: { reason: string; sender: string; senderLink: string | null; nonce: number } | null;
  error: string | null;
  /** who may change the contract, and who may anchor and mint; null while there is no contract, or when the node does not look that up */
  owners: RoleHolder[] | null;
  minters: RoleHolder[] | null;
  asked: {
    /** of the signer, in wei, as a decimal number */
    balanceWei: string;
    headNumber: number;
    /** ISO, UTC */
    headTime: string;
    /** null while there is no contract */
    state: ContractState | null;
  } | null;
}

/** An account with a role of the contract. */
export interface RoleHolder {
  address: string;
  link: string | null;
}

/**
 * The chain, its contract and its signer.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function contractStatus(ctx: CtxWith<'chain'>): Promise<ContractStatus> {
  authorize(ctx, mayManageChain);
  const { chain } = ctx;
  const contract = await contractOf(ctx, chain.network);
  const { rows } = await sql<{ open: number; failed: number }>`
    select (select count(*)::integer from chain_transactions where state in ('queued', 'signed', 'mined'))
        + exists (select from document_anchors where transaction_id is null)::integer as open,
      (select count(*)::integer from document_registry where status = 'failed' and network is not null)
        + (select count(*)::integer from completion_nfts where status = 'failed') as failed`.execute(
    ctx.db.q(),
  );
  const [answers, holders] = await Promise.all([
    ask(chain, contract?.address ?? null),
    chain.missing === null && contract ? askHolders(chain, contract) : null,
  ]);
  return {
    missing: chain.missing,
    network: chain.network,
    label: networkOf(chain.chainId).label,
    chainId: chain.chainId,
    confirmations: chain.confirmations,
    mayManage: chain.mayManage,
    contract: contract?.address ?? null,
    contractLink: addressLink(chain.network, contract?.address ?? null),
    signer: chain.signer,
    signerLink: addressLink(chain.network, chain.signer),
    open: rows[0]?.open ?? 0,
    failed: rows[0]?.failed ?? 0,
    stuck: await stuckChange(ctx),
    owners: holders?.owners ?? null,
    minters: holders?.minters ?? null,
    ...answers,
  };
}

async function stuckChange({ db, chain }: CtxWith<'chain'>): Promise<ContractStatus['stuck']> {
  const row = await db
    .q()
    .selectFrom('chain_transactions')
    .select(['failure_reason as reason', 'sender', 'nonce'])
    .where('network', '=', chain.network)
    .where('kind', 'in', ['deploy', 'pause', 'unpause', 'base_uri'])
    .where('state', '=', 'signed')
    .where('failure_reason', 'is not', null)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  if (!row?.reason || row.sender === null) return null;
  const { reason, sender } = row;
  return { reason, sender, senderLink: addressLink(chain.network, sender), nonce: Number(row.nonce) };
}

async function ask(chain: Chain, contract: Hex | null): Promise<Pick<ContractStatus, 'asked' | 'error'>> {
  if (chain.missing !== null) return { asked: null, error: null };
  try {
    return await within(askNode(chain, contract));
  } catch (error) {
    if (error instanceof NoAnswer) return { asked: null, error: 'The chain’s node is not responding' };
    if (!(error instanceof ChainError || error instanceof ChainRefusal)) throw error;
    return { asked: null, error: error.message };
  }
}

/** Null when the node does not say: many look for events among the latest blocks only. */
async function askHolders(
  chain: Chain,
  { address, block }: { address: Hex; block: number },
): Promise<{ owners: RoleHolder[]; minters: RoleHolder[] } | null> {
  const linked = (addresses: Hex[]): RoleHolder[] =>
    addresses.map((one) => ({ address: one, link: addressLink(chain.network, one) }));
  try {
    const { owners, minters } = await within(chain.roleHolders(address, block));
    return { owners: linked(owners), minters: linked(minters) };
  } catch (error) {
    if (error instanceof NoAnswer || error instanceof ChainError || error instanceof ChainRefusal)
      return null;
    throw error;
  }
}

async function askNode(chain: Chain, contract: Hex | null): Promise<Pick<ContractStatus, 'asked' | 'error'>> {
  await chain.check();
  const [head, balance] = await Promise.all([chain.head(), chain.balance()]);
  const exists = contract !== null && (await chain.hasCode(contract));
  return {
    asked: {
      balanceWei: String(balance),
      headNumber: head.number,
      headTime: head.time.toISOString(),
      state: exists ? await chain.contractState(contract) : null,
    },
    error: contract && !exists ? 'The contract is not on the chain' : null,
  };
}

/** What was anchored of a document; times are ISO, UTC. Names nothing of the document but its hash. */
export interface FoundAnchor {
  network: string;
  label: string;
  status: 'pending' | 'confirmed' | 'failed';
  /** what stands for the document: its SHA-256, or that of the salt followed by it */
  anchorHash: string;
  /** only for who has the file; null too for a public document */
  salt: string | null;
  /** what is anchored: `anchorHash`, or the root of a tree that it is a leaf of */
  root: string;
  /** siblings from the leaf up; empty when `root` is `anchorHash` */
  proof: string[];
  contract: string | null;
  transaction: string | null;
  /** at the network's explorer; null for one that has none */
  transactionLink: string | null;
  block: number | null;
  anchoredAt: string | null;
  /** whether the contract says now that it has the root; null when the chain is another one, or does not answer */
  onChain: boolean | null;
}

/** The anchors of one lookup, at most. */
const MAX_FOUND = 20;

/**
 * What was anchored of a file, by its SHA-256, or of a document made by us, by its number. For anyone: who has a file knows its hash, and
 * of a number only hashes and times are told.
 * @throws TooManyRequests
 */
export async function findAnchors(
  ctx: CtxWith<'chain'>,
  by: { sha256: string } | { number: string },
): Promise<FoundAnchor[]> {
  authorize(ctx, anyone);
  await takeTokens(ctx, chainLimits.verify, addressNetworkOf(ctx.ip));
  const wanted = 'sha256' in by ? sql`d.sha256 = ${by.sha256}` : sql`d.number = ${by.number}`;
  const { rows } = await sql<AnchorRow>`
    select a.network, a.anchor_hash, d.salt, a.proof, t.contract, t.hash, t.state, t.block_number, t.block_time
    from document_registry d join document_anchors a on a.document_id = d.id
      left join chain_transactions t on t.id = a.transaction_id
    where ${wanted} and not d.is_test and d.scan <> 'held' order by a.requested_at, a.id limit ${MAX_FOUND}`.execute(
    ctx.db.q(),
  );
  return Promise.all(rows.map((row) => asFound(ctx, row, 'sha256' in by)));
}

interface AnchorRow {
  network: string | null;
  anchor_hash: string;
  salt: string | null;
  proof: string[] | null;
  contract: string | null;
  hash: string | null;
  state: string | null;
  block_number: number | string | null;
  block_time: Date | null;
}

async function asFound(
  { chain }: CtxWith<'chain'>,
  row: AnchorRow,
  knowsFile: boolean,
): Promise<FoundAnchor> {
  const proof = row.proof ?? [];
  const root = rootOf(row.anchor_hash, proof);
  const network = row.network ?? 'none';
  return {
    network,
    label: networkNamed(network)?.label ?? network,
    status: row.state === 'final' ? 'confirmed' : row.state === 'failed' ? 'failed' : 'pending',
    anchorHash: row.anchor_hash,
    salt: knowsFile ? row.salt : null,
    root,
    proof,
    contract: row.contract,
    transaction: row.hash,
    transactionLink: transactionLink(row.network, row.hash),
    block: row.block_number === null ? null : Number(row.block_number),
    anchoredAt: row.block_time?.toISOString() ?? null,
    onChain: await isOnChain(chain, row, root),
  };
}

async function isOnChain(chain: Chain, row: AnchorRow, root: string): Promise<boolean | null> {
  if (chain.missing !== null || row.network !== chain.network || row.state !== 'final' || !row.contract)
    return null;
  try {
    return (await within(chain.anchoredAt(row.contract as Hex, `0x${root}`))) !== null;
  } catch (error) {
    if (error instanceof ChainError || error instanceof NoAnswer) return null;
    throw error;
  }
}

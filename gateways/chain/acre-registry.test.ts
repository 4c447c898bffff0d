import fc from 'fast-check';
import { decodeFunctionResult, encodeFunctionData, keccak256, toBytes } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestChain, type TestChain } from '#tests/support/fixtures/anvil.ts';
import { acreRegistryAbi as abi } from './acre-registry.gen.ts';
import { encodeCall } from './calls.ts';
import type { Hex } from './port.ts';

let test: TestChain;
let accounts: Hex[];
let contract: Hex;
beforeAll(async () => {
  test = await startTestChain();
  const all: Hex[] = await test.rpc('eth_accounts', []);
  accounts = all.slice(0, 4);
});
afterAll(() => test.stop());

const MINTER = keccak256(toBytes('MINTER_ROLE'));
const ADMIN: Hex = `0x${'00'.repeat(32)}`;
const hashes: Hex[] = [0, 1, 2, 3].map((n): Hex => `0x${String(n).repeat(64)}`);

interface Receipt {
  status: Hex;
  contractAddress: Hex | null;
}

/** The receipt of a transaction that has been sent; its block comes a moment later. */
async function receiptOf(hash: Hex): Promise<Receipt> {
  for (;;) {
    const receipt = await test.rpc<Receipt | null>('eth_getTransactionReceipt', [hash]);
    if (receipt) return receipt;
  }
}

/** Sends a transaction of one of the node's own accounts; true when it succeeded. */
async function send(from: number, to: Hex | null, data: Hex): Promise<{ ok: boolean; contract: Hex | null }> {
  const call = { from: accounts[from], data, gas: '0x300000', ...(to && { to }) };
  const hash = await test.rpc<Hex>('eth_sendTransaction', [call]);
  const receipt = await receiptOf(hash);
  return { ok: receipt.status === '0x1', contract: receipt.contractAddress };
}

type View =
  | 'totalMinted'
  | 'paused'
  | 'baseURI'
  | 'tokenOf'
  | 'anchoredAt'
  | 'ownerOf'
  | 'tokenURI'
  | 'balanceOf';
async function view<Answer>(functionName: View, ...args: unknown[]): Promise<Answer> {
  const data = encodeFunctionData({ abi, functionName, args: args as never });
  const answer = await test.rpc<Hex>('eth_call', [{ to: contract, data }, 'latest']);
  return decodeFunctionResult({ abi, functionName, data: answer }) as Answer;
}

async function deploy(): Promise<void> {
  const made = await send(0, null, encodeCall({ kind: 'deploy' }, accounts[0] as Hex));
  contract = made.contract as Hex;
}

interface Model {
  paused: boolean;
  admins: Set<number>;
  minters: Set<number>;
  anchored: Map<Hex, bigint>;
  /** the key and the owner of each token, from number 1 */
  tokens: { key: Hex; owner: number; uri: string }[];
  base: string;
}

type Step = { by: number; on: number; hash: number } & {
  do:
    | 'anchor'
    | 'mint'
    | 'pause'
    | 'unpause'
    | 'grant'
    | 'revoke'
    | 'renounce'
    | 'base'
    | 'transfer'
    | 'self';
};

/** What a step calls, and whether the model says that it succeeds; then it has happened in the model. */
function inModel(model: Model, step: Step): { data: Hex; ok: boolean } {
  const { by, on } = step;
  const hash = hashes[step.hash] as Hex;
  const zero = step.hash === 0;
  const to = accounts[on] as Hex;
  const minter = model.minters.has(by) && !model.paused;
  const admin = model.admins.has(by);
  switch (step.do) {
    case 'anchor': {
      const ok = minter && !zero && !model.anchored.has(hash);
      if (ok) model.anchored.set(hash, 0n);
      return { data: encodeCall({ kind: 'anchor', hash }, to), ok };
    }
    case 'mint':
    case 'self': {
      const receiver = step.do === 'self' ? contract : to;
      const ok = minter && !zero && step.do === 'mint' && !model.tokens.some(({ key }) => key === hash);
      if (ok) model.tokens.push({ key: hash, owner: on, uri: `cid-${step.hash}` });
      return { data: encodeCall({ kind: 'mint', to: receiver, key: hash, uri: `cid-${step.hash}` }, to), ok };
    }
    case 'pause':
    case 'unpause': {
      const ok = admin && model.paused === (step.do === 'unpause');
      if (ok) model.paused = step.do === 'pause';
      return { data: encodeCall({ kind: step.do }, to), ok };
    }
    case 'grant':
    case 'revoke': {
      const role = zero ? ADMIN : MINTER;
      const members = zero ? model.admins : model.minters;
      if (admin && step.do === 'grant') members.add(on);
      if (admin && step.do === 'revoke') members.delete(on);
      const functionName = step.do === 'grant' ? 'grantRole' : 'revokeRole';
      return { data: encodeFunctionData({ abi, functionName, args: [role, to] }), ok: admin };
    }
    case 'renounce': {
      // For oneself alone.
      const ok = on === by;
      if (ok) (zero ? model.admins : model.minters).delete(by);
      const args = [zero ? ADMIN : MINTER, to] as const;
      return { data: encodeFunctionData({ abi, functionName: 'renounceRole', args }), ok };
    }
    case 'base': {
      if (admin) model.base = `https://${step.hash}.test/`;
      return { data: encodeCall({ kind: 'base_uri', base: `https://${step.hash}.test/` }, to), ok: admin };
    }
    default: {
      const token = model.tokens[step.hash];
      const ok = token?.owner === by && !model.paused;
      if (ok && token) token.owner = on;
      const args = [accounts[by] as Hex, to, BigInt(step.hash + 1)] as const;
      return { data: encodeFunctionData({ abi, functionName: 'transferFrom', args }), ok };
    }
  }
}

const steps = fc.array(
  fc.record({
    do: fc.constantFrom<Step['do']>(
      ...(['anchor', 'anchor', 'mint', 'mint', 'mint', 'pause', 'unpause', 'unpause'] as const),
      ...(['grant', 'grant', 'revoke', 'renounce', 'base', 'transfer', 'self'] as const),
    ),
    // Mostly somebody who may.
    by: fc.constantFrom(0, 0, 0, 1, 2),
    on: fc.integer({ min: 0, max: 2 }),
    hash: fc.integer({ min: 0, max: 3 }),
  }),
  { minLength: 5, maxLength: 30 },
);

it('has one token for each key, numbered from 1 without gaps, and does nothing while paused or for who may not', async () => {
  const seen = { done: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      await deploy();
      const model: Model = {
        paused: false,
        admins: new Set([0]),
        minters: new Set([0]),
        anchored: new Map(),
        tokens: [],
        base: 'ipfs://',
      };
      for (const step of sequence) {
        const { data, ok } = inModel(model, step);
        expect({ step, ok: (await send(step.by, contract, data)).ok }).toEqual({ step, ok });
        seen[ok ? 'done' : 'refused'] += 1;
        if (ok && step.do === 'anchor')
          model.anchored.set(hashes[step.hash] as Hex, await view('anchoredAt', hashes[step.hash]));
        await expectModel(model);
      }
    }),
    { numRuns: 30 },
  );
  expect(seen.done).toBeGreaterThan(50);
  expect(seen.refused).toBeGreaterThan(50);
});

async function expectModel(model: Model): Promise<void> {
  expect(Number(await view<bigint>('totalMinted'))).toBe(model.tokens.length);
  expect(await view('paused')).toBe(model.paused);
  for (const [index, { key, owner, uri }] of model.tokens.entries()) {
    const id = BigInt(index + 1);
    expect(await view('tokenOf', key)).toBe(id);
    expect(String(await view('ownerOf', id)).toLowerCase()).toBe(accounts[owner]);
    expect(await view('tokenURI', id)).toBe(`${model.base}${uri}`);
  }
  const balances = await Promise.all(accounts.map((account) => view<bigint>('balanceOf', account)));
  expect(Number(balances.reduce((sum, balance) => sum + balance, 0n))).toBe(model.tokens.length);
  for (const hash of hashes) {
    expect(await view<bigint>('anchoredAt', hash)).toBe(model.anchored.get(hash) ?? 0n);
    if (!model.tokens.some(({ key }) => key === hash)) expect(await view<bigint>('tokenOf', hash)).toBe(0n);
  }
}

const bytes = (length: number): string => length.toString(16).padStart(4, '0');

/** The code that puts a contract with this code on the chain. */
const deploying = (code: string): Hex => `0x61${bytes(code.length / 2)}80600c6000396000f3${code}`;

/** A contract that takes every token after it has called whoever gives it one, and takes none when that call fails. */
function reentering(call: Hex): Hex {
  const length = bytes((call.length - 2) / 2);
  const calls = `61${length}6100306000396000600061${length}60006000335af1`;
  return deploying(`${calls}601f5760006000fd5b63150b7a0260e01b60005260206000f3${call.slice(2)}`);
}

it('gives no token to a contract that refuses it, and keeps its numbers when one calls back meanwhile', async () => {
  await deploy();
  const [key, other, third] = [hashes[1] as Hex, hashes[2] as Hex, hashes[3] as Hex];
  const owner = accounts[1] as Hex;
  const mint = (to: Hex, of: Hex) => encodeCall({ kind: 'mint', to, key: of, uri: 'cid' }, owner);
  const receiver = async (code: Hex) => (await send(0, null, code)).contract as Hex;
  const mayMint = async (account: Hex) => {
    const data = encodeFunctionData({ abi, functionName: 'grantRole', args: [MINTER, account] });
    expect((await send(0, contract, data)).ok).toBe(true);
  };
  const refusing = await receiver(deploying('60006000fd'));
  const again = await receiver(reentering(mint(owner, key)));
  await mayMint(again);
  const without = await receiver(reentering(mint(owner, other)));
  // One that refuses, one that asks for the same token once more, one that asks for another without the role.
  for (const to of [refusing, again, without]) {
    expect((await send(0, contract, mint(to, key))).ok).toBe(false);
    expect(await view('totalMinted')).toBe(0n);
    expect(await view('tokenOf', key)).toBe(0n);
  }
  await mayMint(without);
  expect((await send(0, contract, mint(without, key))).ok).toBe(true);
  expect(await view('totalMinted')).toBe(2n);
  expect([await view('tokenOf', key), await view('tokenOf', other)]).toEqual([1n, 2n]);
  expect(String(await view('ownerOf', 1n)).toLowerCase()).toBe(without);
  expect(String(await view('ownerOf', 2n)).toLowerCase()).toBe(owner);
  // Nor is one moved to a contract that refuses it; whom the owner approves moves it elsewhere, once.
  const move = (to: Hex) =>
    encodeFunctionData({ abi, functionName: 'safeTransferFrom', args: [owner, to, 2n] });
  expect((await send(1, contract, move(refusing))).ok).toBe(false);
  expect((await send(2, contract, move(accounts[2] as Hex))).ok).toBe(false);
  const approve = encodeFunctionData({ abi, functionName: 'approve', args: [accounts[2] as Hex, 2n] });
  expect((await send(0, contract, approve)).ok).toBe(false);
  expect((await send(1, contract, approve)).ok).toBe(true);
  expect((await send(2, contract, move(accounts[3] as Hex))).ok).toBe(true);
  expect((await send(2, contract, move(accounts[2] as Hex))).ok).toBe(false);
  expect(String(await view('ownerOf', 2n)).toLowerCase()).toBe(accounts[3]);
  expect((await send(0, contract, mint(owner, third))).ok).toBe(true);
  expect(await view('tokenOf', third)).toBe(3n);
});

it('says which interfaces it has', async () => {
  await deploy();
  const supports = async (id: Hex) => {
    const data = encodeFunctionData({ abi, functionName: 'supportsInterface', args: [id] });
    const answer = await test.rpc<Hex>('eth_call', [{ to: contract, data }, 'latest']);
    return decodeFunctionResult({ abi, functionName: 'supportsInterface', data: answer });
  };
  expect(await supports('0x80ac58cd')).toBe(true);
  expect(await supports('0x7965db0b')).toBe(true);
  expect(await supports('0xffffffff')).toBe(false);
});

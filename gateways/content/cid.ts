import { createHash } from 'node:crypto';

/**
 * How a file becomes blocks, which decides its content address: both names of the public profiles, and what `ipfs add --cid-version=1`
 * does on a node with the settings it comes with.
 */
export const cidProfiles = ['unixfs-v1-2025', 'kubo-cid-v1', 'unixfs-v0-2015'] as const;
export type CidProfile = (typeof cidProfiles)[number];

interface Layout {
  /** bytes of a block */
  chunk: number;
  /** blocks that one node links, at most */
  links: number;
  /** whether the bytes of the file are blocks themselves, with addresses of version 1 */
  raw: boolean;
}

const layouts: Record<CidProfile, Layout> = {
  'unixfs-v1-2025': { chunk: 1_048_576, links: 1024, raw: true },
  'kubo-cid-v1': { chunk: 262_144, links: 174, raw: true },
  'unixfs-v0-2015': { chunk: 262_144, links: 174, raw: false },
};

/** The size of the blocks of a profile in bytes, and how many one node links. */
export const layoutOf = (profile: CidProfile): Readonly<Layout> => layouts[profile];

const RAW = 0x55;
const DAG_PB = 0x70;
const SHA_256 = [0x12, 0x20];
/** UnixFS's type of a file. */
const FILE = 2;

/** A block of the tree: its address, how many bytes of the file are below it, and of all blocks including itself. */
interface Block {
  cid: Buffer;
  content: number;
  total: number;
}

/** Computes the content address of a file that comes piece by piece, in the memory of one block. */
export class FileCid {
  readonly #layout: Layout;
  readonly #leaves: Block[] = [];
  /** the block that is not full yet */
  #block = Buffer.alloc(0);
  #filled = 0;

  constructor(profile: CidProfile = 'unixfs-v1-2025') {
    this.#layout = layouts[profile];
  }

  update(bytes: Uint8Array): this {
    const { chunk } = this.#layout;
    for (let at = 0; at < bytes.length; ) {
      const piece = bytes.subarray(at, at + chunk - this.#filled);
      at += piece.length;
      if (piece.length === chunk) this.#leaves.push(leaf(piece, this.#layout));
      else this.#fill(piece);
    }
    return this;
  }

  /** The content address of everything given until now; nothing can be added afterwards. */
  digest(): string {
    if (this.#filled > 0 || this.#leaves.length === 0) this.#closeBlock();
    let level = this.#leaves;
    while (level.length > 1) level = parents(level, this.#layout);
    const [root] = level;
    if (!root) throw new Error('A file has one block at least');
    return this.#layout.raw ? `b${base32(root.cid)}` : base58(root.cid);
  }

  #fill(piece: Uint8Array): void {
    if (this.#block.length === 0) this.#block = Buffer.alloc(this.#layout.chunk);
    this.#block.set(piece, this.#filled);
    this.#filled += piece.length;
    if (this.#filled === this.#layout.chunk) this.#closeBlock();
  }

  #closeBlock(): void {
    this.#leaves.push(leaf(this.#block.subarray(0, this.#filled), this.#layout));
    this.#filled = 0;
  }
}

/** The content address (CID) of a file: what IPFS gives it with the profile, computed here. */
export const fileCid = (bytes: Uint8Array, profile?: CidProfile): string =>
  new FileCid(profile).update(bytes).digest();

/** The profile with which a file has this content address, or null when the address is that of another file. */
export function profileOf(bytes: Uint8Array, cid: string): CidProfile | null {
  return cidProfiles.find((profile) => fileCid(bytes, profile) === cid) ?? null;
}

/** Whether a text is a content address of the kinds that we make: version 1 in base 32, or version 0, by SHA-256. */
export const isCid = (text: string): boolean =>
  /^b(?:afkrei|afybei)[a-z2-7]{52}$/.test(text) || /^Qm[1-9A-HJ-NP-Za-km-z]{44}$/.test(text);

function leaf(bytes: Uint8Array, { raw }: Layout): Block {
  if (raw) return { cid: address(bytes, RAW, true), content: bytes.length, total: bytes.length };
  const node = field(1, file(bytes.length, bytes.length > 0 ? field(2, bytes) : Buffer.alloc(0)));
  return { cid: address(node, DAG_PB, false), content: bytes.length, total: node.length };
}

/** The nodes above a level; a node links its children in order, full nodes first. */
function parents(level: readonly Block[], layout: Layout): Block[] {
  const above: Block[] = [];
  for (let at = 0; at < level.length; at += layout.links)
    above.push(parent(level.slice(at, at + layout.links), layout));
  return above;
}

function parent(children: readonly Block[], { raw }: Layout): Block {
  const content = sum(children.map((child) => child.content));
  const links = children.map(({ cid, total }) =>
    field(2, Buffer.concat([field(1, cid), field(2, Buffer.alloc(0)), number(3, total)])),
  );
  const sizes = Buffer.concat(children.map((child) => number(4, child.content)));
  const node = Buffer.concat([...links, field(1, Buffer.concat([file(content), sizes]))]);
  return {
    cid: address(node, DAG_PB, raw),
    content,
    total: node.length + sum(children.map((child) => child.total)),
  };
}

/** UnixFS's description of a file, or of a part of it, of so many bytes; `data` is those bytes' field where they are in the node. */
const file = (bytes: number, data: Buffer = Buffer.alloc(0)): Buffer =>
  Buffer.concat([number(1, FILE), data, number(3, bytes)]);

function address(block: Uint8Array, codec: number, versioned: boolean): Buffer {
  const digest = createHash('sha256').update(block).digest();
  return Buffer.concat([Buffer.from([...(versioned ? [1, codec] : []), ...SHA_256]), digest]);
}

/** A field of a protocol buffer that holds bytes. */
const field = (id: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([varint((id << 3) | 2), varint(bytes.length), bytes]);

/** A field of a protocol buffer that holds a number. */
const number = (id: number, value: number): Buffer => Buffer.concat([varint(id << 3), varint(value)]);

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** RFC 4648 in lower case without padding. */
function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += BASE_32[(held >> (bits - 5)) & 31];
    held &= 0xff;
  }
  return bits > 0 ? text + BASE_32[(held << (5 - bits)) & 31] : text;
}

const BASE_32 = 'abcdefghijklmnopqrstuvwxyz234567';
const BASE_58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Bitcoin's alphabet; an address never starts with a zero byte. */
function base58(bytes: Uint8Array): string {
  let text = '';
  for (let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`); rest > 0n; rest /= 58n)
    text = BASE_58[Number(rest % 58n)] + text;
  return text;
}

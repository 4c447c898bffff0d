import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Bytes of a number as protocol buffers and PMTiles have it: seven bits each, the lowest first. */
function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}

const field = (number: number, bytes: readonly number[]): number[] => [
  ...varint(number * 8 + 2),
  ...varint(bytes.length),
  ...bytes,
];
const numberField = (number: number, value: number): number[] => [...varint(number * 8), ...varint(value)];
const text = (value: string): number[] => [...Buffer.from(value)];
const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);

/** A vector tile (MVT 2) that is water all over. */
function waterTile(): Buffer {
  const extent = 4_096;
  const ring = [9, 0, 0, 26, zigzag(extent), 0, 0, zigzag(extent), zigzag(-extent), 0, 15];
  const feature = [
    ...field(2, [0, 0]),
    ...numberField(3, 3),
    ...field(
      4,
      ring.flatMap((value) => varint(value)),
    ),
  ];
  const layer = [
    ...numberField(15, 2),
    ...field(1, text('water')),
    ...field(2, feature),
    ...field(3, text('kind')),
    ...field(4, field(1, text('ocean'))),
    ...numberField(5, extent),
  ];
  return Buffer.from(field(3, layer));
}

/** A PMTiles file (version 3) whose only tile is water and covers the world. */
export function worldOfWater(): Buffer {
  const tile = waterTile();
  // One entry: tile 0, once, as long as it is, at the start.
  const directory = Buffer.from([
    ...varint(1),
    ...varint(0),
    ...varint(1),
    ...varint(tile.length),
    ...varint(1),
  ]);
  const metadata = Buffer.from('{}');
  const header = Buffer.alloc(127);
  header.write('PMTiles', 0);
  header[7] = 3;
  const sections = [directory.length, metadata.length, 0, tile.length];
  let offset = header.length;
  for (const [at, length] of sections.entries()) {
    header.writeBigUInt64LE(BigInt(offset), 8 + at * 16);
    header.writeBigUInt64LE(BigInt(length), 16 + at * 16);
    offset += length;
  }
  for (const at of [72, 80, 88]) header.writeBigUInt64LE(1n, at);
  // Clustered, nothing compressed, vector tiles, only zoom 0.
  header.set([1, 1, 1, 1, 0, 0], 96);
  header.writeInt32LE(-1_800_000_000, 102);
  header.writeInt32LE(-850_000_000, 106);
  header.writeInt32LE(1_800_000_000, 110);
  header.writeInt32LE(850_000_000, 114);
  return Buffer.concat([header, directory, metadata, tile]);
}

/** Serves a file as a file store does: by ranges, to every site. */
export async function serveRanges(file: Buffer): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'range, if-match' };
    if (request.method === 'OPTIONS') return response.writeHead(204, cors).end();
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (from === undefined) return response.writeHead(200, cors).end(file);
    const part = file.subarray(Number(from), Number(to) + 1);
    const range = `bytes ${from}-${Number(from) + part.length - 1}/${file.length}`;
    return response.writeHead(206, { ...cors, 'content-range': range }).end(part);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/region.pmtiles`, server };
}

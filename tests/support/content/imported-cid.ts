import { importByteStream } from 'ipfs-unixfs-importer';
import { fixedSize } from 'ipfs-unixfs-importer/chunker';
import { balanced } from 'ipfs-unixfs-importer/layout';
import type { CidProfile } from '#gateways/content/cid.ts';

const options: Record<CidProfile, Parameters<typeof importByteStream>[2]> = {
  'unixfs-v1-2025': { profile: 'unixfs-v1-2025' },
  'unixfs-v0-2015': { profile: 'unixfs-v0-2015' },
  // What `ipfs add --cid-version=1` does, for which it has no name.
  'kubo-cid-v1': {
    cidVersion: 1,
    rawLeaves: true,
    reduceSingleLeafToSelf: true,
    chunker: fixedSize({ chunkSize: 262_144 }),
    layout: balanced({ maxChildrenPerNode: 174 }),
  },
};

/** The content address of a file by the importer of IPFS's own nodes in JavaScript, which shares nothing with ours but the profiles. */
export async function importedCid(pieces: Iterable<Uint8Array>, profile: CidProfile): Promise<string> {
  const bytes = (async function* () {
    yield* pieces;
  })();
  const { cid } = await importByteStream(bytes, { put: async (address) => address }, options[profile]);
  return cid.toString();
}

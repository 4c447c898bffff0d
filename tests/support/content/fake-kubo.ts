import { type CidProfile, layoutOf } from '#gateways/content/cid.ts';
import { type FakeServer, formOf, startFakeServer } from './fake-server.ts';
import { importedCid } from './imported-cid.ts';

export interface FakeKubo extends FakeServer {
  /** what is pinned, and what the node still has because nothing has collected it */
  pins: Set<string>;
  blocks: Map<string, Uint8Array>;
  /** the names that files were added under */
  names: string[];
}

/**
 * A node that speaks Kubo's RPC: POST alone, arguments in the query, files as multipart, faults as status 500 with a message. It computes
 * addresses as the query asks for, with IPFS's own importer, and keeps what was unpinned, as a node does until it collects garbage.
 * @param authorization the header that it asks for, as with `API.Authorizations`
 */
export async function startFakeKubo({ authorization }: { authorization?: string } = {}): Promise<FakeKubo> {
  const pins = new Set<string>();
  const blocks = new Map<string, Uint8Array>();
  const names: string[] = [];
  const fault = (message: string) =>
    Response.json({ Message: message, Code: 0, Type: 'error' }, { status: 500 });
  const server = await startFakeServer(async (request) => {
    const { pathname, searchParams: query } = new URL(request.url);
    if (request.method !== 'POST') return new Response('405 - Method Not Allowed\n', { status: 405 });
    if (authorization !== undefined && request.headers.get('authorization') !== authorization)
      return new Response('403 - Forbidden\n', { status: 403 });
    const cid = query.get('arg') ?? '';
    switch (pathname) {
      case '/api/v0/version':
        return Response.json({ Version: '0.40.0', Commit: '', Repo: '18', System: 'amd64/linux' });
      case '/api/v0/add': {
        const file = await formOf(request);
        if (!file) return fault('file argument "path" is required');
        const added = await importedCid([file.bytes], profileOf(query));
        blocks.set(added, file.bytes);
        names.push(file.name);
        if (query.get('pin') === 'true') pins.add(added);
        return new Response(
          `${JSON.stringify({ Name: file.name, Hash: added, Size: String(file.bytes.length) })}\n`,
          { headers: { 'content-type': 'application/json', 'x-chunked-output': '1' } },
        );
      }
      case '/api/v0/cat': {
        const bytes = blocks.get(cid);
        if (!bytes) return fault(`block was not found locally (offline): ipld: could not find ${cid}`);
        return new Response(new Uint8Array(bytes), { headers: { 'content-type': 'text/plain' } });
      }
      case '/api/v0/pin/ls':
        return pins.has(cid)
          ? Response.json({ Keys: { [cid]: { Type: 'recursive', Name: '' } } })
          : fault(`path '${cid}' is not pinned`);
      case '/api/v0/pin/rm':
        return pins.delete(cid) ? Response.json({ Pins: [cid] }) : fault('not pinned or pinned indirectly');
      default:
        return new Response('404 page not found\n', { status: 404 });
    }
  });
  return { ...server, pins, blocks, names };
}

/** The profile that a query names; a node of these settings has no other. */
function profileOf(query: URLSearchParams): CidProfile {
  const raw = query.get('raw-leaves') === 'true';
  const chunker = query.get('chunker') ?? 'size-262144';
  if (query.get('cid-version') !== (raw ? '1' : '0')) throw new Error(`An unknown profile: ${query}`);
  if (!raw) return 'unixfs-v0-2015';
  return chunker === `size-${layoutOf('unixfs-v1-2025').chunk}` ? 'unixfs-v1-2025' : 'kubo-cid-v1';
}

import { randomUUID } from 'node:crypto';
import type { CidProfile } from '#gateways/content/cid.ts';
import { type FakeServer, formOf, startFakeServer } from './fake-server.ts';
import { importedCid } from './imported-cid.ts';

interface PinnedFile {
  id: string;
  name: string;
  cid: string;
  bytes: Uint8Array;
}

export interface FakePinata extends FakeServer {
  files: Map<string, PinnedFile>;
}

/** Files of one page of a listing, so that two pages are seen in tests. */
const PAGE = 2;

/** Pinata's API, uploads and gateway on one address; files that are added without `network=public` are private, and not found. */
export async function startFakePinata({
  jwt,
  profile = 'unixfs-v1-2025',
}: {
  jwt: string;
  profile?: CidProfile;
}): Promise<FakePinata> {
  const files = new Map<string, PinnedFile>();
  const refuse = (status: number, message: string) =>
    Response.json({ error: { code: status, message } }, { status });
  const server = await startFakeServer(async (request) => {
    const { pathname, searchParams: query } = new URL(request.url);
    const line = `${request.method} ${pathname}`;
    if (pathname.startsWith('/ipfs/')) {
      const found = [...files.values()].find(({ cid }) => `/ipfs/${cid}` === pathname);
      return found ? new Response(new Uint8Array(found.bytes)) : new Response('Not Found', { status: 404 });
    }
    if (request.headers.get('authorization') !== `Bearer ${jwt}`) return refuse(401, 'Not Authorized');
    if (line === 'GET /data/testAuthentication')
      return Response.json({ message: 'Congratulations! You are communicating with the Pinata API!' });
    if (line === 'POST /v3/files') {
      const form = await formOf(request);
      if (!form) return refuse(400, 'file is required');
      if (form.fields.network !== 'public') return refuse(400, 'this test wants public files');
      const cid = await importedCid([form.bytes], profile);
      const known = [...files.values()].find((file) => file.cid === cid);
      const file = known ?? { id: randomUUID(), name: form.fields.name ?? form.name, cid, bytes: form.bytes };
      files.set(file.id, file);
      return Response.json({
        data: {
          id: file.id,
          name: file.name,
          cid,
          size: form.bytes.length,
          created_at: '2026-11-20T12:00:00.000Z',
          number_of_files: 1,
          mime_type: 'application/pdf',
          group_id: null,
          keyvalues: {},
          vectorized: false,
          network: 'public',
          ...(known && { is_duplicate: true }),
        },
      });
    }
    if (line === 'GET /v3/files/public') {
      const found = [...files.values()].filter(({ cid }) => cid === query.get('cid'));
      const from = Number(query.get('pageToken') ?? 0);
      const rest = found.length > from + PAGE ? String(from + PAGE) : '';
      const page = found
        .slice(from, from + PAGE)
        .map(({ bytes, ...file }) => ({ ...file, size: bytes.length }));
      return Response.json({ data: { files: page, next_page_token: rest } });
    }
    const id = /^DELETE \/v3\/files\/public\/([\w-]+)$/.exec(line)?.[1];
    if (id === undefined) return refuse(404, 'route not found');
    return files.delete(id) ? Response.json({ data: null }) : refuse(404, 'file not found');
  });
  return { ...server, files };
}

import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type S3Keys, signatureProblem } from './s3-signature.ts';

/**
 * What happens to a request instead of the normal response: a status (redirects lead to `/elsewhere`); `reset`, the
 * connection is dropped without executing it; `lost`, it is executed but the response is dropped; `silence`, no response.
 */
export type Fault = number | 'reset' | 'lost' | 'silence';

type StoredObject = { body: Buffer; etag: string; headers: Record<string, string> };

export type FakeS3 = {
  url: string;
  bucket: string;
  keys: S3Keys;
  objects: Map<string, StoredObject>;
  /** A queue, one entry for each request. */
  faults: Fault[];
  /** `METHOD /path` of every request received, in order. */
  requests: string[];
  stop(): Promise<void>;
};

type Call = { request: IncomingMessage; response: ServerResponse; url: URL; key: string; body: Buffer };

/**
 * A fake S3 in this process: one bucket, path-style addresses. It checks the signature of every request (header or
 * presigned URL) and supports PUT with If-None-Match, GET with ranges, HEAD, DELETE, and paged ListObjectsV2.
 */
export async function startFakeS3({ now = () => new Date() } = {}): Promise<FakeS3> {
  const keys = { accessKeyId: 'AKTEST', secretAccessKey: 'sec/ret+with=marks', region: 'eu-test-1' };
  const bucket = 'media';
  const objects = new Map<string, StoredObject>();
  const faults: Fault[] = [];
  const requests: string[] = [];

  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const fault = faults.shift();
    if (fault === 'silence') return;
    if (fault === 'reset') return request.socket.destroy();
    if (typeof fault === 'number') {
      if (fault < 400) response.setHeader('location', '/elsewhere');
      return sendError(response, fault, 'InjectedFault');
    }
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const problem = signatureProblem(request, url, body, keys, now());
    if (problem !== null) return sendError(response, 403, problem);
    const [, bucketName, ...rest] = url.pathname.split('/');
    if (bucketName !== bucket) return sendError(response, 404, 'NoSuchBucket');
    const key = decodeURIComponent(rest.join('/'));
    if (fault === 'lost') {
      if (request.method === 'PUT') store(objects, { request, response, url, key, body });
      return request.socket.destroy();
    }
    answer(objects, { request, response, url, key, body });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket,
    keys,
    objects,
    faults,
    requests,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(objects: Map<string, StoredObject>, call: Call): ServerResponse {
  const { request, response, url, key } = call;
  if (key === '')
    return request.method === 'GET' ? list(objects, response, url) : sendError(response, 405, 'NotAllowed');
  const found = objects.get(key);
  switch (request.method) {
    case 'PUT': {
      if (request.headers['if-none-match'] === '*' && found)
        return sendError(response, 412, 'PreconditionFailed');
      return response.writeHead(200, { etag: store(objects, call).etag }).end();
    }
    case 'DELETE':
      objects.delete(key);
      return response.writeHead(204).end();
    case 'GET':
    case 'HEAD':
      return found ? read(found, call) : sendError(response, 404, 'NoSuchKey', request.method === 'HEAD');
    default:
      return sendError(response, 405, 'MethodNotAllowed');
  }
}

function store(objects: Map<string, StoredObject>, { request, key, body }: Call): StoredObject {
  const storedHeaders = Object.entries(request.headers).filter(
    ([name]) => name === 'content-type' || name === 'cache-control' || name.startsWith('x-amz-meta-'),
  );
  const etag = `"${createHash('md5').update(body).digest('hex')}"`;
  const object = {
    body,
    etag,
    headers: Object.fromEntries(storedHeaders.map(([name, value]) => [name, String(value)])),
  };
  objects.set(key, object);
  return object;
}

function read({ body, etag, headers }: StoredObject, { request, response, url }: Call): ServerResponse {
  const disposition = url.searchParams.get('response-content-disposition');
  const common = { ...headers, etag, ...(disposition ? { 'content-disposition': disposition } : {}) };
  const send = (status: number, part: Buffer, more: Record<string, string> = {}) =>
    response
      .writeHead(status, { ...common, ...more, 'content-length': part.length })
      .end(request.method === 'HEAD' ? undefined : part);
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  if (first === undefined) return send(200, body);
  const start = Number(first);
  const end = Math.min(last ? Number(last) : body.length - 1, body.length - 1);
  if (start >= body.length) return sendError(response, 416, 'InvalidRange');
  return send(206, body.subarray(start, end + 1), {
    'content-range': `bytes ${start}-${end}/${body.length}`,
  });
}

function list(
  objects: Map<string, StoredObject>,
  response: ServerResponse,
  { searchParams }: URL,
): ServerResponse {
  if (searchParams.get('list-type') !== '2') return sendError(response, 400, 'InvalidArgument');
  const prefix = searchParams.get('prefix') ?? '';
  const after = searchParams.get('start-after') ?? '';
  const limit = Math.min(Number(searchParams.get('max-keys') ?? 1000), 1000);
  const matching = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = matching.slice(0, limit).map((key) => {
    const name = key.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    return `<Contents><Key>${name}</Key><Size>${objects.get(key)?.body.length}</Size></Contents>`;
  });
  const more = `<IsTruncated>${matching.length > limit}</IsTruncated><KeyCount>${page.length}</KeyCount>`;
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult>${more}${page.join('\n')}</ListBucketResult>`;
  return response.writeHead(200, { 'content-type': 'application/xml' }).end(xml);
}

function sendError(
  response: ServerResponse,
  status: number,
  code: string,
  withoutBody = false,
): ServerResponse {
  const xml = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
  return response.writeHead(status, { 'content-type': 'application/xml' }).end(withoutBody ? undefined : xml);
}

import { z } from 'zod';
import { parseJson } from '#platform/parse-json.ts';
import { type CidProfile, layoutOf } from './cid.ts';
import { ask, bytesOf, checkedCid, fileForm, refusal, textOf } from './http.ts';
import { type ContentStore, ContentStoreError } from './port.ts';

const STORE = 'The IPFS node';

interface KuboOptions {
  /** the RPC address, such as http://127.0.0.1:5001 */
  url: string;
  /** the header `Authorization`, where the node or a proxy in front of it asks for one */
  authorization: string | undefined;
  profile: CidProfile;
}

const Added = z.object({ Hash: z.string() });
const Pins = z.object({ Keys: z.record(z.string(), z.unknown()) });
const Fault = z.object({ Message: z.string() });

/** Pins on an IPFS node of one's own by Kubo's RPC. */
export function createKuboStore(options: KuboOptions): ContentStore {
  return {
    provider: 'kubo',
    add: (bytes, name) => add(options, bytes, name),
    async get(cid) {
      // Offline, or the node would look for what it does not have in the whole network.
      const response = await call(options, 'cat', { arg: checkedCid(cid), offline: 'true' });
      if (response.ok) return bytesOf(STORE, response);
      return unless(response, /not found|could not find/i, null);
    },
    async has(cid) {
      const response = await call(options, 'pin/ls', { arg: checkedCid(cid), type: 'recursive' });
      if (!response.ok) return unless(response, /is not pinned/i, false);
      return Object.hasOwn(understood(Pins, await textOf(STORE, response)).Keys, cid);
    },
    async remove(cid) {
      const response = await call(options, 'pin/rm', { arg: checkedCid(cid), recursive: 'true' });
      if (response.ok) await textOf(STORE, response);
      else await unless(response, /not pinned/i, undefined);
    },
    async check() {
      const response = await call(options, 'version', {});
      if (!response.ok) await unless(response, null, undefined);
      await textOf(STORE, response);
    },
  };
}

async function add(options: KuboOptions, bytes: Uint8Array, name: string): Promise<{ cid: string }> {
  const { chunk, raw } = layoutOf(options.profile);
  // Documents are far too small for a node to have more links than any profile allows, so the bound is not sent.
  const query = {
    'cid-version': raw ? '1' : '0',
    'raw-leaves': String(raw),
    chunker: `size-${chunk}`,
    pin: 'true',
    progress: 'false',
    quieter: 'true',
  };
  const response = await call(options, 'add', query, fileForm(bytes, name));
  if (!response.ok) return unless(response, null, { cid: '' });
  const lines = (await textOf(STORE, response)).trim().split('\n');
  return { cid: understood(Added, lines.at(-1) ?? '').Hash };
}

async function call(
  { url, authorization }: KuboOptions,
  command: string,
  query: Record<string, string>,
  body?: FormData,
): Promise<Response> {
  const address = new URL(`${url.replace(/\/+$/, '')}/api/v0/${command}`);
  address.search = new URLSearchParams(query).toString();
  // Every command is a POST, also those that only read.
  return ask(STORE, address, {
    method: 'POST',
    headers: authorization === undefined ? {} : { authorization },
    ...(body && { body }),
  });
}

/** The node says everything it cannot do with status 500: what it means stands in its message. */
async function unless<T>(response: Response, expected: RegExp | null, value: T): Promise<T> {
  const text = await textOf(STORE, response);
  const message = Fault.safeParse(parseJson(text)).data?.Message ?? text;
  if (response.status === 500 && expected?.test(message)) return value;
  throw refusal(STORE, response.status, message);
}

function understood<T>(shape: z.ZodType<T>, text: string): T {
  const parsed = shape.safeParse(parseJson(text));
  if (!parsed.success)
    throw new ContentStoreError('unavailable', `${STORE} gave an answer that cannot be understood`);
  return parsed.data;
}

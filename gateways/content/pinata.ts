import { z } from 'zod';
import { parseJson } from '#platform/parse-json.ts';
import { ask, bytesOf, checkedCid, fileForm, plainName, refusal, textOf } from './http.ts';
import { type ContentStore, ContentStoreError } from './port.ts';

const STORE = 'Pinata';
/** So many files of one content are looked at; each upload of the same bytes is the same file. */
const MAX_PAGES = 10;

interface PinataOptions {
  jwt: string;
  /** where files are listed and deleted, uploaded, and fetched from */
  api: string;
  uploads: string;
  gateway: string;
}

/** Pinata's own addresses. */
export const PINATA_ADDRESSES = {
  api: 'https://api.pinata.cloud',
  uploads: 'https://uploads.pinata.cloud',
  gateway: 'https://gateway.pinata.cloud',
} as const;

const File = z.object({ id: z.string().min(1), cid: z.string() });
const Uploaded = z.object({ data: File });
const Files = z.object({
  data: z.object({ files: z.array(File).nullable(), next_page_token: z.string().nullish() }),
});

/** Pins at Pinata, on the public network. */
export function createPinataStore(options: PinataOptions): ContentStore {
  return {
    provider: 'pinata',
    add: (bytes, name) => add(options, bytes, name),
    async get(cid) {
      const response = await ask(STORE, new URL(`${options.gateway}/ipfs/${checkedCid(cid)}`), {
        redirect: 'follow',
      });
      if (response.ok) return bytesOf(STORE, response);
      if (response.status !== 404) throw refusal(STORE, response.status, await textOf(STORE, response));
      await response.body?.cancel();
      return null;
    },
    has: async (cid) => (await filesOf(options, checkedCid(cid))).length > 0,
    async remove(cid) {
      for (const { id } of await filesOf(options, checkedCid(cid)))
        await call(options, 'DELETE', `/v3/files/public/${encodeURIComponent(id)}`, { missingIsFine: true });
    },
    async check() {
      await call(options, 'GET', '/data/testAuthentication');
    },
  };
}

async function add(
  { jwt, uploads }: PinataOptions,
  bytes: Uint8Array,
  name: string,
): Promise<{ cid: string }> {
  const form = fileForm(bytes, name);
  // Without it the file would be private, and no gateway could find it.
  form.set('network', 'public');
  form.set('name', plainName(name));
  const response = await ask(STORE, new URL(`${uploads}/v3/files`), {
    method: 'POST',
    headers: { authorization: `Bearer ${jwt}` },
    body: form,
  });
  const text = await textOf(STORE, response);
  if (!response.ok) throw refusal(STORE, response.status, text);
  return { cid: understood(Uploaded, text).data.cid };
}

/** The files with this content, which are several when it was added under several accounts' keys or names. */
async function filesOf(options: PinataOptions, cid: string): Promise<{ id: string }[]> {
  const found: { id: string }[] = [];
  let pageToken: string | null | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = new URLSearchParams({ cid, limit: '100', ...(pageToken && { pageToken }) });
    const { data } = understood(Files, await call(options, 'GET', `/v3/files/public?${query}`));
    found.push(...(data.files ?? []).filter((file) => file.cid === cid));
    pageToken = data.next_page_token;
    if (!pageToken) break;
  }
  return found;
}

async function call(
  { api, jwt }: PinataOptions,
  method: 'GET' | 'DELETE',
  path: string,
  { missingIsFine = false } = {},
): Promise<string> {
  const headers = { authorization: `Bearer ${jwt}`, accept: 'application/json' };
  const response = await ask(STORE, new URL(api + path), { method, headers });
  const text = await textOf(STORE, response);
  if (!response.ok && !(missingIsFine && response.status === 404))
    throw refusal(STORE, response.status, text);
  return text;
}

function understood<T>(shape: z.ZodType<T>, text: string): T {
  const parsed = shape.safeParse(parseJson(text));
  if (!parsed.success)
    throw new ContentStoreError('unavailable', `${STORE} gave an answer that cannot be understood`);
  return parsed.data;
}

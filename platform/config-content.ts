import { createHash } from 'node:crypto';
import { z } from 'zod';
import { flag, url } from './config-types.ts';
import { isGateway } from './gateway-address.ts';
import { InvalidEnvironment } from './invalid-environment.ts';

/** Where public documents are published, and what encrypts all documents at rest. */
export interface ContentConfig {
  store: 'local' | 'kubo' | 'pinata' | 'off';
  /** how a file becomes blocks, which decides its address */
  profile: 'unixfs-v1-2025' | 'kubo-cid-v1' | 'unixfs-v0-2015';
  kubo: { url: string; authorization: string | undefined } | undefined;
  /** addresses of its parts, and of the gateway that answers what it holds */
  pinata: { jwt: string; api: string; uploads: string; gateway: string } | undefined;
  /** whether administrators may publish test documents where no main network is; null leaves it to the network */
  testDocuments: boolean | null;
  /** where links to public documents lead unless a setting says otherwise, with {cid} */
  gateway: string | undefined;
}

/** A key of 32 bytes, and the first four bytes of its digest, by which files say which key they need. */
export interface FilesKey {
  id: string;
  bytes: Buffer;
}

const httpAddress = url(['http:', 'https:'], 'expected an address such as https://gateway.example');
const filesKey = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, 'expected 64 hexadecimal digits, as `openssl rand -hex 32` prints them');

/** What CONTENT_URL says: a store by name, or the address of one with what it asks for. */
function parseContentUrl(text: string): Pick<ContentConfig, 'store'> & { url?: string; jwt?: string } {
  if (text === 'local' || text === 'off') return { store: text };
  if (!URL.canParse(text)) throw new TypeError('no address of a store');
  const { protocol, host, pathname, username, password } = new URL(text);
  const [, store, scheme] = /^(kubo|pinata)(?:\+(https?))?:$/.exec(protocol) ?? [];
  if (!host || password) throw new TypeError('no address of a store');
  if (store === 'kubo' && !username)
    return { store, url: `${scheme ?? 'http'}://${host}${pathname.replace(/\/+$/, '')}` };
  if (store === 'pinata' && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(username))
    return { store, url: `${scheme ?? 'https'}://${host}`, jwt: username };
  throw new TypeError('no address of a store');
}

const isContentUrl = (text: string): boolean => {
  try {
    parseContentUrl(text);
    return true;
  } catch {
    return false;
  }
};

/** A name of before: the store would silently be another one. */
const replaced = z.undefined('no longer read; name the store in CONTENT_URL').optional();

/** The variables of public content and of encryption. */
export const contentVariables = {
  CONTENT_URL: z
    .string()
    .refine(isContentUrl, 'expected kubo://HOST:5001, pinata://JWT@uploads.pinata.cloud, local or off')
    .optional(),
  CONTENT_GATEWAY: z
    .string()
    .refine(isGateway, 'expected an address with {cid} in it, such as https://ipfs.io/ipfs/{cid}')
    .optional(),
  CONTENT_PROFILE: z
    .enum(
      ['unixfs-v1-2025', 'kubo-cid-v1', 'unixfs-v0-2015'],
      'expected unixfs-v1-2025, kubo-cid-v1 or unixfs-v0-2015',
    )
    .default('unixfs-v1-2025'),
  CONTENT_TEST_DOCUMENTS: flag.optional(),
  CONTENT_STORE: replaced,
  KUBO_URL: replaced,
  PINATA_JWT: replaced,
  PINATA_UPLOADS_BASE: replaced,
  KUBO_AUTHORIZATION: z
    .string()
    .regex(/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/, 'expected a header such as Bearer TOKEN')
    .optional(),
  PINATA_API_BASE: httpAddress.default('https://api.pinata.cloud'),
  PINATA_GATEWAY: httpAddress.default('https://gateway.pinata.cloud'),
  FILES_KEY: filesKey.optional(),
  FILES_KEY_PREVIOUS: filesKey.optional(),
};

const environment = z.object(contentVariables);
type ContentEnvironment = z.infer<typeof environment>;

/**
 * The store of public content: that of CONTENT_URL, by default a folder of this machine except in production, where nothing is
 * published unless a store is chosen.
 */
export function contentOf(
  env: ContentEnvironment,
  { production, demo }: { production: boolean; demo: boolean },
): ContentConfig {
  const {
    store,
    url = '',
    jwt,
  } = parseContentUrl(env.CONTENT_URL ?? (demo || !production ? 'local' : 'off'));
  const base = (address: string) => address.replace(/\/+$/, '');
  return {
    store,
    profile: env.CONTENT_PROFILE,
    kubo: store === 'kubo' ? { url, authorization: env.KUBO_AUTHORIZATION } : undefined,
    pinata:
      jwt === undefined
        ? undefined
        : {
            jwt,
            api: base(env.PINATA_API_BASE),
            uploads: url,
            gateway: base(env.PINATA_GATEWAY),
          },
    gateway: env.CONTENT_GATEWAY,
    testDocuments: env.CONTENT_TEST_DOCUMENTS
      ? env.CONTENT_TEST_DOCUMENTS === 'on'
      : demo || !production || null,
  };
}

/**
 * The keys of files, that in use first; none when documents are stored as they are.
 * @throws InvalidEnvironment for a previous key without a new one
 */
export function filesKeysOf({ FILES_KEY, FILES_KEY_PREVIOUS }: ContentEnvironment): FilesKey[] {
  if (FILES_KEY_PREVIOUS !== undefined && FILES_KEY === undefined)
    throw new InvalidEnvironment('FILES_KEY: required with FILES_KEY_PREVIOUS');
  return [FILES_KEY, FILES_KEY_PREVIOUS].filter((key) => key !== undefined).map(toFilesKey);
}

/** A key of 64 hexadecimal digits. */
export function toFilesKey(key: string): FilesKey {
  const bytes = Buffer.from(key, 'hex');
  return { bytes, id: createHash('sha256').update('acre files key').update(bytes).digest('hex').slice(0, 8) };
}
